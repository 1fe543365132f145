/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_text.c - results as tables to read. */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <math.h>

void benchmark_put_warnings(const struct benchmark_result *r, FILE *to)
{
    for (int i = 0; i < r->nwarnings; i++) {
        fprintf(to, "# warning: %s\n", r->warnings[i]);
    }
}

static void put_head(const struct benchmark_result *r, FILE *to)
{
    const struct benchmark_request *q = r->request;
    const double floor = benchmark_noise_floor(r);

    fprintf(to, "# %s: %s\n# %s; ranks on %s; binding: %s\n", r->tool, q->command, r->library,
            r->hosts, r->binding);
    fprintf(to, "# times in us; timing %s: %s; cache %s", q->method->name, q->method->summary,
            benchmark_cache_names[q->cache]);
    if (q->arrives) {
        fprintf(to, "; arrival %s, from the last arrival on", hitop_pattern_names[q->pattern]);
    }
    if (isfinite(floor)) {
        fprintf(to, "; noise floor %.1f %%", 100 * floor);
    }
    fputs("\n", to);
    if (r->normalised > 0) {
        fprintf(to,
                "# normalised time, of the scalar product of 1000 numbers: %.4g us; by host: %s\n",
                1e6 * r->normalised, r->normalised_hosts);
    }
    if (isfinite(r->hop[0]) && isfinite(r->hop[1])) {
        fprintf(to,
                "# a cache line goes from rank to rank in %.1f ns at first, in %.1f ns at last\n",
                1e9 * r->hop[0], 1e9 * r->hop[1]);
    }
    benchmark_put_warnings(r, to);
}

static void put_point(const struct benchmark_kind *kind, const struct benchmark_point *p,
                      int has_mebibytes, FILE *to)
{
    const struct benchmark_summary *s = &p->time;
    const double one_way = hitop_benchmark_bandwidth(p->bytes, kind->one_way, s->median);
    const double both_ways = hitop_benchmark_bandwidth(p->bytes, kind->both_ways, s->median);

    fprintf(to, "%10zu %8d %11.3f", p->bytes, s->n, 1e6 * s->median);
    if (isfinite(s->lo)) {
        fprintf(to, " %11.3f %11.3f", 1e6 * s->lo, 1e6 * s->hi);
    } else {
        fprintf(to, " %11s %11s", "-", "-");
    }
    fprintf(to, " %11.3f %11.3f %11.3f %11.3f %7d %s", 1e6 * s->min, 1e6 * s->q90, 1e6 * s->q99,
            1e6 * s->mean, p->slowest, p->converged ? "converged" : "limit");
    if (kind->one_way) {
        fprintf(to, "%*s %13.2f %14.2f", p->converged ? 0 : 4, "", one_way, both_ways);
    }
    if (kind->one_way && has_mebibytes) {
        fprintf(to, " %14.2f %15.2f", benchmark_mebibytes(one_way), benchmark_mebibytes(both_ways));
    }
    fputs(p->wrong ? " WRONG DATA\n" : "\n", to);
}

static void put_curve(const struct benchmark_result *r, const struct benchmark_curve *c, FILE *to)
{
    const int has_mebibytes = r->request->throughput == THROUGHPUT_MIB;

    fprintf(to, "\n# %s, %s, %d rank%s on %d host%s, type %s, %s", c->kind->name, c->implementation,
            c->ranks, c->ranks > 1 ? "s" : "", c->hosts, c->hosts > 1 ? "s" : "", c->type,
            c->timing);
    if (benchmark_kind_has_root(c->kind) && r->request->root == ROOT_ROTATES) {
        fputs(", root rotating", to);
    } else if (benchmark_kind_has_root(c->kind)) {
        fprintf(to, ", root %d", r->request->root);
    }
    fprintf(to, "\n#%9s %8s %11s %11s %11s %11s %11s %11s %11s %7s %s", "size_B", "calls",
            "median_us", "lo_us", "hi_us", "min_us", "q90_us", "q99_us", "mean_us", "slowest",
            "state");
    fprintf(to, "%s%s\n", c->kind->one_way ? "      one_way_MBps both_ways_MBps" : "",
            c->kind->one_way && has_mebibytes ? "  one_way_MiBps both_ways_MiBps" : "");
    for (int i = 0; i < c->npoints; i++) {
        put_point(c->kind, &c->points[i], has_mebibytes, to);
    }
}

static void put_comparisons(const struct benchmark_result *r, FILE *to)
{
    const struct benchmark_implementation *implementations = r->request->implementations;

    for (int i = 0; i < r->ncomparisons; i++) {
        const struct benchmark_comparison *c = &r->comparisons[i];
        if (i == 0 || c->other != c[-1].other) {
            fprintf(to, "\n# time of %s over that of %s, blocks of both in turn\n",
                    implementations[c->other].name, implementations[0].name);
            fprintf(to, "# %-14s %6s %10s %8s %8s %8s %6s  %s\n", "operation", "ranks", "size_B",
                    "ratio", "lo", "hi", "quads", "verdict");
        }
        fprintf(to, "  %-14s %6d %10zu %8.3f %8.3f %8.3f %6d  %s\n", c->kind->name, c->ranks,
                c->bytes, c->verdict.ratio, c->verdict.lo, c->verdict.hi, c->verdict.quads,
                hitop_benchmark_outcome_name(c->verdict.outcome));
    }
}

void benchmark_write_text(const struct benchmark_result *r, FILE *to)
{
    put_head(r, to);
    for (int i = 0; i < r->ncurves; i++) {
        put_curve(r, &r->curves[i], to);
    }
    put_comparisons(r, to);
}
