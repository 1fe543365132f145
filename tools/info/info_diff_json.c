/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff_json.c - write the differences of two models as text, CSV or JSON. */
#include <config.h>

#include "tools/info/diff.h"

#include "src/draft_json.h"
#include "tools/common/table.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const struct column columns[] = {
    {COLUMN("level", TEXT, struct diff_row, name)},
    {COLUMN("size_B", SIZE, struct diff_row, bytes)},
    {COLUMN("compared", SIZE, struct diff_row, npairs)},
    {COLUMN("median", REAL, struct diff_row, median), .digits = 6},
    {COLUMN("q90", REAL, struct diff_row, q90), .digits = 6},
    {COLUMN("worst", REAL, struct diff_row, worst), .digits = 6},
    {COLUMN("bias", REAL, struct diff_row, bias), .digits = 6},
    {COLUMN("ranks", RANKS, struct diff_row, pair), .cells = "rank_i,rank_j"},
    {COLUMN("a_s", REAL, struct diff_row, seconds[0])},
    {COLUMN("b_s", REAL, struct diff_row, seconds[1])},
    {COLUMN("a_pm", REAL, struct diff_row, width[0]), .digits = 6},
    {COLUMN("b_pm", REAL, struct diff_row, width[1]), .digits = 6},
    {COLUMN("different", SIZE, struct diff_row, ndifferent)},
};

static const struct column collective_columns[] = {
    {COLUMN("operation", TEXT, struct diff_collective, operation)},
    {COLUMN("size_B", SIZE, struct diff_collective, bytes)},
    {COLUMN("a_s", REAL, struct diff_collective, seconds[0])},
    {COLUMN("b_s", REAL, struct diff_collective, seconds[1])},
    {COLUMN("change", REAL, struct diff_collective, change)},
};

enum {
    NCOLUMNS = sizeof(columns) / sizeof(columns[0]),
    NCOLLECTIVE = sizeof(collective_columns) / sizeof(collective_columns[0])
};

/* A relative number in percent; 0 for rounding errors. */
static double percent(double relative)
{
    return fabs(100 * relative) < 1e-9 ? 0 : 100 * relative;
}

/* Ranks are matched by number. Print the first one whose host differs, if there is one. */
static void put_hosts(FILE *to, const struct info_request *r)
{
    const struct hitop_hierarchy *a = hitop_model_hierarchy(r->model);
    const struct hitop_hierarchy *b = hitop_model_hierarchy(r->other);

    for (int rank = 0; rank < hitop_hierarchy_nranks(a); rank++) {
        if (strcmp(hitop_hierarchy_host(a, rank), hitop_hierarchy_host(b, rank)) != 0) {
            fprintf(to, "# on other hosts: rank %d on %s, in B on %s\n", rank,
                    hitop_hierarchy_host(a, rank), hitop_hierarchy_host(b, rank));
            return;
        }
    }
}

static void put_head(FILE *to, const struct diff *d)
{
    const struct info_request *r = d->request;

    fprintf(to, "# A %s: %s; B %s: %s; %d ranks\n", r->path, hitop_model_type_of(r->model)->name,
            r->other_path, hitop_model_type_of(r->other)->name, hitop_model_nranks(r->model));
    put_hosts(to, r);
    switch (d->pairs.choice) {
    case DIFF_CLASSES:
        fprintf(to, "# one hierarchy: its %zu classes\n", d->pairs.n);
        break;
    case DIFF_ALL_PAIRS:
        fprintf(to, "# all %zu pairs of ranks\n", d->pairs.n);
        break;
    case DIFF_RANDOM_PAIRS:
        fprintf(to, "# %zu random pairs of ranks, as many of each level; seed %d\n", d->pairs.n,
                r->seed);
        break;
    }
}

/* "1.5", or "-" for an unknown width. */
static const char *width(double relative, char out[16])
{
    (void)snprintf(out, 16, "%.2g", 100 * relative);
    return isnan(relative) ? "-" : out;
}

static void write_text(const struct diff *d, FILE *to)
{
    put_head(to, d);
    fprintf(to, "%-10s %10s %9s %9s %9s %9s %9s %9s  %-15s %12s %8s %12s %8s\n", "level", "size_B",
            "compared", "different", "median_%", "q90_%", "worst_%", "bias_%", "worst ranks",
            "A_us", "+-_%", "B_us", "+-_%");
    for (size_t i = 0; i < d->nrows; i++) {
        const struct diff_row *row = &d->row[i];
        char ranks[32], a[16], b[16];
        (void)snprintf(ranks, sizeof(ranks), "%d-%d", row->pair[0], row->pair[1]);
        fprintf(to, "%-10s %10zu %9zu %9zu %9.3g %9.3g %9.3g %+9.3g  %-15s %12.5g %8s %12.5g %8s\n",
                info_shown(row->name), row->bytes, row->npairs, row->ndifferent,
                percent(row->median), percent(row->q90), percent(row->worst), percent(row->bias),
                ranks, row->seconds[0] * 1e6, width(row->width[0], a), row->seconds[1] * 1e6,
                width(row->width[1], b));
    }
    if (d->ncollectives > 0) {
        fprintf(to,
                "# predicted collectives of all ranks, each model's fastest algorithm\n"
                "%-10s %10s %12s %12s %9s\n",
                "operation", "size_B", "A_us", "B_us", "change_%");
    }
    for (int i = 0; i < d->ncollectives; i++) {
        const struct diff_collective *c = &d->collective[i];
        fprintf(to, "%-10s %10zu %12.5g %12.5g %+9.3g\n", c->operation, c->bytes,
                c->seconds[0] * 1e6, c->seconds[1] * 1e6, percent(c->change));
    }
    fprintf(to,
            "# %sthe same within %g %% and the intervals: the largest difference %sis %.3g %%\n",
            d->is_same ? "" : "not ", 100 * d->request->tolerance, d->is_same ? "" : "beyond them ",
            percent(d->worst));
}

static enum hitop_status write_json(const struct diff *d, FILE *to, struct hitop_diag *diag)
{
    static const char *const choices[] = {"classes", "all pairs", "random pairs"};
    struct draft rows = {.value = json_array()}, collectives = {.value = json_array()};
    json_t *document;
    int failed;

    for (size_t i = 0; i < d->nrows; i++) {
        draft_append(&rows, table_row_value(columns, NCOLUMNS, &d->row[i]));
    }
    for (int i = 0; i < d->ncollectives; i++) {
        draft_append(&collectives,
                     table_row_value(collective_columns, NCOLLECTIVE, &d->collective[i]));
    }
    document = json_pack("{s:s, s:i, s:s, s:f, s:b, s:o, s:o}", "format", "hitop-model-diff",
                         "version", 1, "compared", choices[d->pairs.choice], "tolerance",
                         d->request->tolerance, "same", d->is_same, "rows", draft_finish(&rows),
                         "collectives", draft_finish(&collectives));
    failed = !document || json_dumpf(document, to, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0 ||
             putc('\n', to) == EOF;
    json_decref(document);
    return failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write JSON") : HITOP_OK;
}

enum hitop_status diff_write(const struct diff *d, FILE *to, struct hitop_diag *diag)
{
    if (d->request->format == INFO_JSON) {
        return write_json(d, to, diag);
    }
    if (d->request->format == INFO_TEXT) {
        write_text(d, to);
        return HITOP_OK;
    }
    table_put_head(to, columns, NCOLUMNS);
    for (size_t i = 0; i < d->nrows; i++) {
        table_put_row(to, columns, NCOLUMNS, &d->row[i]);
    }
    return HITOP_OK;
}
