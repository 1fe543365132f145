/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_rows_json.c - rows for other programs, as CSV or JSON: all points of a benchmark with the
 * times by formulas, and the formulas with all coefficients.
 */
#include <config.h>

#include "tools/report/report_parts.h"

#include "src/draft_json.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9, FORMULA = 256 };

void report_rows_begin(struct report_rows *rows, const char *format, const char *list)
{
    if (rows->is_json) {
        rows->failed |=
            fprintf(rows->to, "{\n  \"format\": \"%s\",\n  \"version\": 1,\n  \"%s\": [", format,
                    list) < 0;
    } else {
        table_put_head(rows->to, rows->columns, rows->ncolumns);
    }
}

void report_rows_put(struct report_rows *rows, const void *row)
{
    if (!rows->is_json) {
        table_put_row(rows->to, rows->columns, rows->ncolumns, row);
        return;
    }
    fputs(rows->n++ > 0 ? ",\n    " : "\n    ", rows->to);
    rows->failed |=
        hitop_draft_put(rows->to, table_row_value(rows->columns, rows->ncolumns, row), DIGITS) != 0;
}

enum hitop_status report_rows_end(struct report_rows *rows, struct hitop_diag *diag)
{
    if (rows->is_json) {
        fputs("]\n}\n", rows->to);
    }
    return rows->failed || ferror(rows->to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write")
                                            : HITOP_OK;
}

/* A point. Numbers are NaN and texts NULL if they are unknown. */
struct row {
    const char *operation, *implementation;
    int ranks, hosts;
    const char *root, *arrival;
    double interval_us;
    const char *cache, *timing, *type;
    size_t bytes;
    int repetitions, rejected;
    const char *state;
    struct results_times us;
    double one_way, both_ways;
    const char *form;
    double formula_us, formula_all_ranks_us;
    int launches;
    double apart, hop_least, hop_most;
    const char *formula, *parabola, *formula_all_ranks;
};

#define REAL(name, member)                                                                         \
    {                                                                                              \
        COLUMN(name, REAL, struct row, member), .digits = DIGITS                                   \
    }

static const struct column columns[] = {
    {COLUMN("operation", TEXT, struct row, operation)},
    {COLUMN("implementation", TEXT, struct row, implementation)},
    {COLUMN("ranks", INT, struct row, ranks)},
    {COLUMN("hosts", INT, struct row, hosts)},
    {COLUMN("root", TEXT, struct row, root)},
    {COLUMN("arrival", TEXT, struct row, arrival)},
    REAL("interval_us", interval_us),
    {COLUMN("cache", TEXT, struct row, cache)},
    {COLUMN("timing", TEXT, struct row, timing)},
    {COLUMN("type", TEXT, struct row, type)},
    {COLUMN("size_B", SIZE, struct row, bytes)},
    {COLUMN("repetitions", INT, struct row, repetitions)},
    {COLUMN("rejected", INT, struct row, rejected)},
    {COLUMN("state", TEXT, struct row, state)},
    REAL("median_us", us.median),
    REAL("lo_us", us.lo),
    REAL("hi_us", us.hi),
    REAL("min_us", us.min),
    REAL("q25_us", us.q25),
    REAL("q75_us", us.q75),
    REAL("q90_us", us.q90),
    REAL("q99_us", us.q99),
    REAL("max_us", us.max),
    REAL("mean_us", us.mean),
    REAL("one_way_MBps", one_way),
    REAL("both_ways_MBps", both_ways),
    {COLUMN("form", TEXT, struct row, form)},
    REAL("formula_us", formula_us),
    REAL("formula_all_ranks_us", formula_all_ranks_us),
    {COLUMN("launches", INT, struct row, launches)},
    REAL("launches_apart", apart),
    REAL("line_hop_least_ns", hop_least),
    REAL("line_hop_most_ns", hop_most),
    {COLUMN("formula", TEXT, struct row, formula)},
    {COLUMN("parabola", TEXT, struct row, parabola)},
    {COLUMN("formula_all_ranks", TEXT, struct row, formula_all_ranks)},
};

static struct results_times microseconds(const struct results_times *t)
{
    return (struct results_times){.median = 1e6 * t->median,
                                  .lo = 1e6 * t->lo,
                                  .hi = 1e6 * t->hi,
                                  .min = 1e6 * t->min,
                                  .q25 = 1e6 * t->q25,
                                  .q75 = 1e6 * t->q75,
                                  .q90 = 1e6 * t->q90,
                                  .q99 = 1e6 * t->q99,
                                  .max = 1e6 * t->max,
                                  .mean = 1e6 * t->mean};
}

static double fitted(const struct hitop_curve_fit *fit, int has_fit, int ranks, size_t bytes)
{
    return has_fit && bytes >= fit->min_bytes && bytes <= fit->max_bytes
               ? hitop_fit_time(&fit->form[fit->chosen], ranks, bytes)
               : NAN;
}

/*
 * A form at a size with all coefficients, in seconds of m bytes and P ranks:
 * "1.25e-06 + 3.85e-10 m - 1e-17 m^2". NULL where no piece of the form has the size.
 */
static const char *formula_of(const struct hitop_fit_form *form, size_t bytes, char out[FORMULA])
{
    int used = 0;

    out[0] = '\0';
    for (int i = 0; form && i < form->npieces && used == 0; i++) {
        const struct hitop_fit_piece *p = &form->piece[i];
        for (int k = 0; k < p->nterms && bytes >= p->min_bytes && bytes <= p->max_bytes; k++) {
            const double value = p->term[k].value;
            const char *text = p->term[k].term->text, *sign = k == 0 ? "" : " + ";
            if (value < 0) {
                sign = k == 0 ? "-" : " - ";
            }
            used += snprintf(out + used, (size_t)(FORMULA - used), "%s%.9g%s%s", sign, fabs(value),
                             strcmp(text, "1") == 0 ? "" : " ", strcmp(text, "1") == 0 ? "" : text);
        }
    }
    return used > 0 ? out : NULL;
}

static const struct hitop_fit_form *chosen_form(const struct hitop_curve_fit *fit, int has_fit)
{
    return has_fit && fit->chosen >= 0 ? &fit->form[fit->chosen] : NULL;
}

static void put_point(struct report_rows *rows, const struct results *r,
                      const struct results_series *s, const struct results_curve *c,
                      const struct results_point *p)
{
    char formulas[3][FORMULA];
    const struct row row = {
        .operation = c->operation,
        .implementation = c->implementation,
        .ranks = c->ranks,
        .hosts = c->hosts,
        .root = c->root,
        .arrival = c->arrival,
        .interval_us = 1e6 * c->interval,
        .cache = c->cache,
        .timing = c->timing,
        .type = c->type,
        .bytes = p->bytes,
        .repetitions = p->repetitions,
        .rejected = p->rejected,
        .state = p->state,
        .us = microseconds(&p->time),
        .one_way = 1e-6 * p->one_way,
        .both_ways = 1e-6 * p->both_ways,
        .form = c->has_fit ? c->fit.form[c->fit.chosen].name : NULL,
        .formula_us = 1e6 * fitted(&c->fit, c->has_fit, c->ranks, p->bytes),
        .formula_all_ranks_us = 1e6 * fitted(&s->fit, s->has_fit, c->ranks, p->bytes),
        .launches = r->nlaunches,
        .apart = p->apart,
        .hop_least = c->hop_least,
        .hop_most = c->hop_most,
        .formula = formula_of(chosen_form(&c->fit, c->has_fit), p->bytes, formulas[0]),
        .parabola =
            formula_of(c->has_fit ? &c->fit.form[HITOP_FIT_PARABOLA] : NULL, p->bytes, formulas[1]),
        .formula_all_ranks = formula_of(chosen_form(&s->fit, s->has_fit), p->bytes, formulas[2]),
    };

    report_rows_put(rows, &row);
}

enum hitop_status report_write_points(const struct results *report, int is_json, FILE *to,
                                      struct hitop_diag *diag)
{
    struct report_rows rows = {.to = to,
                               .is_json = is_json,
                               .columns = columns,
                               .ncolumns = sizeof(columns) / sizeof(columns[0])};

    report_rows_begin(&rows, "hitop-benchmark-points", "points");
    for (int i = 0; i < report->nseries; i++) {
        for (int k = 0; k < report->series[i].n; k++) {
            const struct results_curve *c = &report->curves[report->series[i].first + k];
            for (int p = 0; p < c->npoints; p++) {
                put_point(&rows, report, &report->series[i], c, &c->points[p]);
            }
        }
    }
    return report_rows_end(&rows, diag);
}
