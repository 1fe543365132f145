/* SPDX-License-Identifier: BSD-3-Clause */
/* report_csv.c - all points of a benchmark, with the times by formulas, for other programs. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "src/field_csv.h"

#include <math.h>

static void put_text(FILE *to, const char *text)
{
    hitop_csv_put_text(to, text ? text : "");
    putc(',', to);
}

/* Nothing if the value is unknown. */
static void put_number(FILE *to, double value, const char *after)
{
    if (isfinite(value)) {
        fprintf(to, "%.9g", value);
    }
    fputs(after, to);
}

static void put_times(FILE *to, const struct results_times *t)
{
    const double values[] = {t->median, t->lo,  t->hi,  t->min, t->q25,
                             t->q75,    t->q90, t->q99, t->max, t->mean};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        put_number(to, 1e6 * values[i], ",");
    }
}

static double fitted(const struct hitop_curve_fit *fit, int has_fit, int ranks, size_t bytes)
{
    return has_fit && bytes >= fit->min_bytes && bytes <= fit->max_bytes
               ? hitop_fit_time(&fit->form[fit->chosen], ranks, bytes)
               : NAN;
}

static void put_point(FILE *to, const struct results *r, const struct results_series *s,
                      const struct results_curve *c, const struct results_point *p)
{
    put_text(to, c->operation);
    put_text(to, c->implementation);
    fprintf(to, "%d,%d,", c->ranks, c->hosts);
    put_text(to, c->root);
    put_text(to, c->arrival);
    put_number(to, 1e6 * c->interval, ",");
    put_text(to, c->cache);
    put_text(to, c->timing);
    put_text(to, c->type);
    fprintf(to, "%zu,%d,%d,", p->bytes, p->repetitions, p->rejected);
    put_text(to, p->state);
    put_times(to, &p->time);
    put_number(to, 1e-6 * p->one_way, ",");
    put_number(to, 1e-6 * p->both_ways, ",");
    put_text(to, c->has_fit ? c->fit.form[c->fit.chosen].name : "");
    put_number(to, 1e6 * fitted(&c->fit, c->has_fit, c->ranks, p->bytes), ",");
    put_number(to, 1e6 * fitted(&s->fit, s->has_fit, c->ranks, p->bytes), ",");
    fprintf(to, "%d,%.9g,", r->nlaunches, p->apart);
    put_number(to, c->hop_least, ",");
    put_number(to, c->hop_most, "\n");
}

enum hitop_status report_write_csv(const struct results *report, FILE *to, struct hitop_diag *diag)
{
    fputs("operation,implementation,ranks,hosts,root,arrival,interval_us,cache,timing,type,size_B,"
          "repetitions,"
          "rejected,state,median_us,lo_us,hi_us,min_us,q25_us,q75_us,q90_us,q99_us,max_us,mean_us,"
          "one_way_MBps,"
          "both_ways_MBps,form,formula_us,formula_all_ranks_us,launches,launches_apart,"
          "line_hop_least_ns,line_hop_most_ns\n",
          to);
    for (int i = 0; i < report->nseries; i++) {
        for (int k = 0; k < report->series[i].n; k++) {
            const struct results_curve *c = &report->curves[report->series[i].first + k];
            for (int p = 0; p < c->npoints; p++) {
                put_point(to, report, &report->series[i], c, &c->points[p]);
            }
        }
    }
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write") : HITOP_OK;
}
