/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_csv.c - results as CSV, a line for each size. Where implementations are compared, the
 * lines of all but the first one have the verdict.
 */
#include <config.h>

#include "src/field_csv.h"
#include "tools/benchmark/benchmark.h"

#include <math.h>

static const struct benchmark_verdict *verdict_of(const struct benchmark_result *r,
                                                  const struct benchmark_curve *c, size_t bytes)
{
    for (int i = 0; i < r->ncomparisons; i++) {
        const struct benchmark_comparison *x = &r->comparisons[i];
        if (c->implementation == r->request->implementations[x->other].name && x->kind == c->kind &&
            x->ranks == c->ranks && x->bytes == bytes) {
            return &x->verdict;
        }
    }
    return NULL;
}

/* Numbers behind commas, with one digit after the point or with 9 digits; none if not finite. */
static void put_numbers(FILE *to, int has_one_digit, const double *value, int n)
{
    for (int i = 0; i < n; i++) {
        putc(',', to);
        if (isfinite(value[i])) {
            fprintf(to, has_one_digit ? "%.1f" : "%.9g", value[i]);
        }
    }
}

static void put_point(const struct benchmark_result *r, const struct benchmark_curve *c,
                      const struct benchmark_point *p, FILE *to)
{
    const struct benchmark_request *q = r->request;
    const struct benchmark_summary *s = &p->time;
    const struct benchmark_verdict *v = verdict_of(r, c, p->bytes);
    double us[] = {s->median, s->lo,  s->hi,   s->min,       s->q25,      s->q75,      s->q90,
                   s->q99,    s->max, s->mean, p->own_least, p->own_mean, p->own_most, p->spread};
    const int nus = sizeof(us) / sizeof(us[0]), has_rate = c->kind->one_way && p->bytes > 0;
    const double rates[] = {
        has_rate ? hitop_benchmark_bandwidth(p->bytes, c->kind->one_way, s->median) : NAN,
        has_rate ? hitop_benchmark_bandwidth(p->bytes, c->kind->both_ways, s->median) : NAN};
    const double mebibytes[] = {benchmark_mebibytes(rates[0]), benchmark_mebibytes(rates[1])};
    const double ratios[] = {v ? v->ratio : NAN, v ? v->lo : NAN, v ? v->hi : NAN};
    const double hops[] = {1e9 * c->hop[0], 1e9 * c->hop[1]};

    for (int i = 0; i < nus; i++) {
        us[i] *= 1e6;
    }
    fprintf(to, "%s,", c->kind->name);
    hitop_csv_put_text(to, c->implementation);
    fprintf(to, ",%d,%d,%s,%s,%.9g,%s,%s,%s,%zu,%d,%d,%s", c->ranks, c->hosts,
            benchmark_root_name(q, c->kind) ? benchmark_root_name(q, c->kind) : "",
            benchmark_arrival_name(q), 1e6 * q->interval, benchmark_cache_names[q->cache],
            c->timing, c->type, p->bytes, s->n, p->rejected, p->converged ? "converged" : "limit");
    put_numbers(to, 0, us, nus);
    fprintf(to, ",%d,%.3g", p->slowest, p->slowest_share);
    put_numbers(to, 0, rates, 2);
    put_numbers(to, 0, ratios, 3);
    fprintf(to, ",%s,%d,%d", v ? hitop_benchmark_outcome_name(v->outcome) : "", p->batch,
            p->passes);
    put_numbers(to, 1, hops, 2);
    put_numbers(to, 0, mebibytes, 2);
    putc('\n', to);
}

void benchmark_write_csv(const struct benchmark_result *r, FILE *to)
{
    fputs("operation,implementation,ranks,hosts,root,arrival,interval_us,cache,timing,type,size_B,"
          "repetitions,rejected,state,median_us,lo_us,hi_us,min_us,q25_us,q75_us,q90_us,q99_us,max_"
          "us,mean_us,ranks_min_us,ranks_mean_us,ranks_max_us,start_spread_us,slowest_rank,slowest_"
          "share,one_way_MBps,both_ways_MBps,ratio,ratio_lo,ratio_hi,verdict,batch,passes,line_hop_"
          "first_ns,"
          "line_hop_last_ns,one_way_MiBps,both_ways_MiBps\n",
          to);
    for (int i = 0; i < r->ncurves; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            put_point(r, &r->curves[i], &r->curves[i].points[k], to);
        }
    }
}
