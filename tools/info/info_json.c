/* SPDX-License-Identifier: BSD-3-Clause */
/* info_json.c - every number of a model as an object of its own, one to a line. */
#include <config.h>

#include "tools/info/info.h"

#include "src/draft_json.h"
#include "tools/info/info_rows.h"

#include <jansson.h>
#include <math.h>

enum { DIGITS = 15 };

struct writer {
    FILE *to;
    const struct hitop_hierarchy *h;
    int nrows;
};

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *rank(int value)
{
    return value == HITOP_NO_RANK ? json_null() : json_integer(value);
}

static json_t *member(const struct hitop_hierarchy *h, int node)
{
    char name[32];

    return node == HITOP_NO_NODE ? json_null() : hitop_draft_text(info_member_name(h, node, name));
}

static json_t *row_value(const struct hitop_hierarchy *h, const struct info_row *row)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "level", hitop_draft_text(row->level));
    draft_add(&draft, "group", hitop_draft_text(row->group));
    draft_add(&draft, "member_i", member(h, row->member[0]));
    draft_add(&draft, "member_j", member(h, row->member[1]));
    draft_add(&draft, "rank_i", rank(row->pair[0]));
    draft_add(&draft, "rank_j", rank(row->pair[1]));
    draft_add(&draft, "parameter", json_string(row->param->name));
    draft_add(&draft, "from_B", number(row->from_bytes));
    draft_add(&draft, "unit", json_string(row->param->unit));
    draft_add(&draft, "value", number(row->value));
    draft_add(&draft, "se", number(row->se));
    draft_add(&draft, "lo", number(row->lo));
    draft_add(&draft, "hi", number(row->hi));
    draft_add(&draft, "samples", json_integer(row->samples));
    draft_add(&draft, "converged", json_boolean(row->converged));
    draft_add(&draft, "residual", number(row->residual));
    return draft_finish(&draft);
}

static int put_row(void *data, const struct info_row *row)
{
    struct writer *w = data;

    return fputs(w->nrows++ ? ",\n    " : "\n    ", w->to) < 0 ||
                   hitop_draft_put(w->to, row_value(w->h, row), DIGITS) != 0
               ? -1
               : 0;
}

static json_t *provenance_value(const struct hitop_provenance *p)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "tool", hitop_draft_text(p->tool));
    draft_add(&draft, "command", hitop_draft_text(p->command));
    draft_add(&draft, "mpi_library", hitop_draft_text(p->mpi_library));
    draft_add(&draft, "transport", hitop_draft_text(p->transport));
    draft_add(&draft, "cache", hitop_draft_text(p->cache));
    draft_add(&draft, "date", hitop_draft_text(p->date));
    draft_add(&draft, "seed", json_integer((json_int_t)p->seed));
    draft_add(&draft, "confidence", json_real(p->confidence));
    return draft_finish(&draft);
}

enum hitop_status info_write_json(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag)
{
    const struct hitop_model *model = request->model;
    struct writer w = {to, hitop_model_hierarchy(model), 0};
    int failed = fprintf(to,
                         "{\n  \"format\": \"hitop-model-info\",\n  \"version\": 1,\n"
                         "  \"model\": \"%s\",\n  \"ranks\": %d,\n  \"provenance\": ",
                         hitop_model_type_of(model)->name, hitop_model_nranks(model)) < 0;

    failed =
        failed || hitop_draft_put(to, provenance_value(hitop_model_provenance(model)), DIGITS) != 0;
    failed = failed || fputs(",\n  \"rows\": [", to) < 0;
    failed = failed || info_each_row(model, put_row, &w);
    failed = failed || fputs(w.nrows ? "\n  ]\n}\n" : "]\n}\n", to) < 0;
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write JSON") : HITOP_OK;
}
