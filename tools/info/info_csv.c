/* SPDX-License-Identifier: BSD-3-Clause */
/* info_csv.c - every number of a model as a row of a table, which statistics programs read as it is. */
#include <config.h>

#include "tools/info/info.h"

#include "src/field_csv.h"
#include "tools/info/info_rows.h"

static void put_node(FILE *to, const struct hitop_hierarchy *h, int node)
{
    char name[32];

    if (node != HITOP_NO_NODE) {
        hitop_csv_put_text(to, info_member_name(h, node, name));
    }
    putc(',', to);
}

static void put_rank(FILE *to, int rank)
{
    if (rank != HITOP_NO_RANK) {
        fprintf(to, "%d", rank);
    }
    putc(',', to);
}

struct writer {
    FILE *to;
    const struct hitop_hierarchy *h;
};

static int put_row(void *data, const struct info_row *row)
{
    const struct writer *w = data;
    FILE *to = w->to;
    const double numbers[] = {row->value, row->se, row->lo, row->hi};

    hitop_csv_put_text(to, row->level);
    putc(',', to);
    hitop_csv_put_text(to, row->group);
    putc(',', to);
    put_node(to, w->h, row->member[0]);
    put_node(to, w->h, row->member[1]);
    put_rank(to, row->pair[0]);
    put_rank(to, row->pair[1]);
    fprintf(to, "%s,", row->param->name);
    hitop_csv_put_number(to, row->from_bytes);
    fprintf(to, ",%s,", row->param->unit);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        hitop_csv_put_number(to, numbers[i]);
        putc(',', to);
    }
    fprintf(to, "%d,%d,", row->samples, row->converged);
    hitop_csv_put_number(to, row->residual);
    putc('\n', to);
    return ferror(to);
}

enum hitop_status info_write_csv(const struct info_request *request, FILE *to,
                                 struct hitop_diag *diag)
{
    struct writer w = {to, hitop_model_hierarchy(request->model)};

    fputs(
        "level,group,member_i,member_j,rank_i,rank_j,parameter,from_B,unit,value,se,lo,hi,samples,"
        "converged,residual\n",
        to);
    return info_each_row(request->model, put_row, &w) < 0
               ? hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", request->path)
               : HITOP_OK; /* whoever closes the stream sees that a write failed */
}
