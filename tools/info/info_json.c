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
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:b, s:o}", "level",
        hitop_draft_text(row->level), "group", hitop_draft_text(row->group), "member_i",
        member(h, row->member[0]), "member_j", member(h, row->member[1]), "rank_i",
        rank(row->pair[0]), "rank_j", rank(row->pair[1]), "parameter", row->param->name, "from_B",
        number(row->from_bytes), "unit", row->param->unit, "value", number(row->value), "se",
        number(row->se), "lo", number(row->lo), "hi", number(row->hi), "samples", row->samples,
        "converged", row->converged, "residual", number(row->residual));
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
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f}", "tool", hitop_draft_text(p->tool),
                     "command", hitop_draft_text(p->command), "mpi_library",
                     hitop_draft_text(p->mpi_library), "transport", hitop_draft_text(p->transport),
                     "cache", hitop_draft_text(p->cache), "date", hitop_draft_text(p->date), "seed",
                     (json_int_t)p->seed, "confidence", p->confidence);
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
