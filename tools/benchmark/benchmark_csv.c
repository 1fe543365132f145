/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_csv.c - a line for each size; where two are compared, with the verdict in the lines of
 * the second one. */
#include <config.h>

#include "src/field_csv.h"
#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <math.h>
#include <string.h>

static const struct benchmark_verdict *verdict_of(const struct benchmark_result *r,
                                                  const struct benchmark_curve *c, size_t bytes)
{
    for (int i = 0; i < r->ncomparisons && c->way == r->request->ways[1].name; i++) {
        const struct benchmark_comparison *x = &r->comparisons[i];
        if (x->kind == c->kind && x->ranks == c->ranks && x->bytes == bytes) {
            return &x->verdict;
        }
    }
    return NULL;
}

static void put_hop(double seconds, FILE *to)
{
    fputs(",", to);
    if (isfinite(seconds)) {
        fprintf(to, "%.1f", 1e9 * seconds);
    }
}

static void put_point(const struct benchmark_result *r, const struct benchmark_curve *c,
                      const struct benchmark_point *p, FILE *to)
{
    const struct benchmark_request *q = r->request;
    const struct benchmark_summary *s = &p->time;
    const struct benchmark_verdict *v = verdict_of(r, c, p->bytes);

    fprintf(to, "%s,", c->kind->name);
    hitop_csv_put_text(to, c->way);
    fprintf(to, ",%d,%d,%s,%s,%.9g,%s,%s,%s,%zu,%d,%d,%s", c->ranks, c->hosts,
            !benchmark_kind_has_root(c->kind) ? ""
            : q->root == ROOT_ROTATES         ? "rotating"
                                              : "fixed",
            q->arrives ? hitop_pattern_names[q->pattern] : "together",
            q->arrives ? 1e6 * q->interval : 0, benchmark_cache_names[q->cache], c->timing, c->type,
            p->bytes, s->n, p->rejected, p->converged ? "converged" : "limit");
    if (isfinite(s->lo)) {
        fprintf(to, ",%.9g,%.9g,%.9g", 1e6 * s->median, 1e6 * s->lo, 1e6 * s->hi);
    } else {
        fprintf(to, ",%.9g,,", 1e6 * s->median);
    }
    fprintf(to, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", 1e6 * s->min, 1e6 * s->q25, 1e6 * s->q75,
            1e6 * s->q90, 1e6 * s->q99, 1e6 * s->max, 1e6 * s->mean);
    fprintf(to, ",%.9g,%.9g,%.9g,%.9g,%d,%.3g", 1e6 * p->own_least, 1e6 * p->own_mean,
            1e6 * p->own_most, 1e6 * p->spread, p->slowest, p->slowest_share);
    if (c->kind->one_way && p->bytes > 0) {
        fprintf(to, ",%.9g,%.9g", hitop_benchmark_bandwidth(p->bytes, c->kind->one_way, s->median),
                hitop_benchmark_bandwidth(p->bytes, c->kind->both_ways, s->median));
    } else {
        fputs(",,", to);
    }
    if (v) {
        fprintf(to, ",%.9g,%.9g,%.9g,%s,%d,%d", v->ratio, v->lo, v->hi,
                hitop_benchmark_outcome_name(v->outcome), p->batch, p->passes);
    } else {
        fprintf(to, ",,,,,%d,%d", p->batch, p->passes);
    }
    put_hop(c->hop[0], to);
    put_hop(c->hop[1], to);
    fputs("\n", to);
}

enum hitop_status benchmark_write_csv(const struct benchmark_result *r, FILE *to,
                                      struct hitop_diag *diag)
{
    fputs("operation,implementation,ranks,hosts,root,arrival,interval_us,cache,timing,type,size_B,"
          "repetitions,rejected,state,median_us,lo_us,hi_us,min_us,q25_us,q75_us,q90_us,q99_us,max_"
          "us,mean_us,ranks_min_us,ranks_mean_us,ranks_max_us,start_spread_us,slowest_rank,slowest_"
          "share,one_way_MBps,both_ways_MBps,ratio,ratio_lo,ratio_hi,verdict,batch,passes,line_hop_"
          "first_ns,"
          "line_hop_last_ns\n",
          to);
    for (int i = 0; i < r->ncurves; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            put_point(r, &r->curves[i], &r->curves[i].points[k], to);
        }
    }
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write a table") : HITOP_OK;
}
