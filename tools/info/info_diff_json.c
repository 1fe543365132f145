/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff_json.c - the differences of two models for programs. */
#include <config.h>

#include "tools/info/diff.h"

#include "src/draft_json.h"

#include <jansson.h>
#include <math.h>

/* JSON has no infinity. */
static json_t *relative(double difference)
{
    return isfinite(difference) ? json_real(expm1(difference)) : json_null();
}

static json_t *row_value(const struct diff *d, const struct diff_row *row)
{
    return json_pack(
        "{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:I}", "level",
        hitop_draft_text(d->levels.level[row->level].name), "size_B", (json_int_t)row->bytes,
        "compared", (json_int_t)row->npairs, "median", relative(row->median), "q90",
        relative(row->q90), "worst", relative(row->worst), "bias", relative(row->bias), "ranks",
        json_pack("[i, i]", row->pair[0], row->pair[1]), "a_s", row->seconds[0], "b_s",
        row->seconds[1], "a_pm", isnan(row->width[0]) ? json_null() : json_real(row->width[0]),
        "b_pm", isnan(row->width[1]) ? json_null() : json_real(row->width[1]), "different",
        (json_int_t)row->ndifferent);
}

enum hitop_status diff_write_json(const struct diff *d, FILE *to, struct hitop_diag *diag)
{
    static const char *const choices[] = {"classes", "all pairs", "random pairs"};
    struct draft draft = {.value = json_object()};
    json_t *rows = json_array(), *collectives = json_array(), *document;
    int failed;

    for (size_t i = 0; i < d->nrows; i++) {
        draft.incomplete |= json_array_append_new(rows, row_value(d, &d->row[i])) != 0;
    }
    for (int i = 0; i < d->ncollectives; i++) {
        const struct diff_collective *c = &d->collective[i];
        draft.incomplete |=
            json_array_append_new(collectives,
                                  json_pack("{s:s, s:I, s:f, s:f, s:o}", "operation", c->operation,
                                            "size_B", (json_int_t)c->bytes, "a_s", c->seconds[0],
                                            "b_s", c->seconds[1], "change",
                                            relative(log(c->seconds[1] / c->seconds[0])))) != 0;
    }
    draft_add(&draft, "format", json_string("hitop-model-diff"));
    draft_add(&draft, "version", json_integer(1));
    draft_add(&draft, "compared", json_string(choices[d->pairs.choice]));
    draft_add(&draft, "tolerance", json_real(d->request->tolerance));
    draft_add(&draft, "same", json_boolean(d->is_same));
    draft_add(&draft, "rows", rows);
    draft_add(&draft, "collectives", collectives);
    document = draft_finish(&draft);
    failed = !document || json_dumpf(document, to, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0 ||
             putc('\n', to) == EOF;
    json_decref(document);
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write JSON") : HITOP_OK;
}
