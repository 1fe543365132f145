/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_result.c - collect results, order them, and warn of what makes them doubtful. */
#include <config.h>

#include "models/clock/line_hop.h"
#include "tools/benchmark/benchmark.h"
#include "tools/common/signals.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_curve *benchmark_result_curve(struct benchmark_result *r)
{
    struct benchmark_curve *longer =
        realloc(r->curves, (size_t)(r->ncurves + 1) * sizeof(*r->curves));

    if (!longer) {
        return NULL;
    }
    r->curves = longer;
    r->curves[r->ncurves] = (struct benchmark_curve){0};
    return &r->curves[r->ncurves++];
}

struct benchmark_comparison *benchmark_result_comparison(struct benchmark_result *r)
{
    struct benchmark_comparison *longer =
        realloc(r->comparisons, (size_t)(r->ncomparisons + 1) * sizeof(*r->comparisons));

    if (!longer) {
        return NULL;
    }
    r->comparisons = longer;
    return &r->comparisons[r->ncomparisons++];
}

/* By the order of kinds in their table, of implementations in the request, and by the number of
 * ranks. */
static int compare_curves(const void *a, const void *b)
{
    const struct benchmark_curve *x = a, *y = b;

    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->implementation != y->implementation) {
        return x->implementation < y->implementation ? -1 : 1;
    }
    return x->ranks - y->ranks;
}

static int compare_comparisons(const void *a, const void *b)
{
    const struct benchmark_comparison *x = a, *y = b;

    if (x->other != y->other) {
        return x->other - y->other;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->ranks != y->ranks) {
        return x->ranks - y->ranks;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void benchmark_result_sort(struct benchmark_result *r)
{
    if (r->ncurves > 0) {
        qsort(r->curves, (size_t)r->ncurves, sizeof(*r->curves), compare_curves);
    }
    if (r->ncomparisons > 0) {
        qsort(r->comparisons, (size_t)r->ncomparisons, sizeof(*r->comparisons),
              compare_comparisons);
    }
}

void benchmark_result_warn(struct benchmark_result *r, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    for (int i = 0; i < r->nwarnings; i++) {
        if (strcmp(r->warnings[i], text) == 0) {
            return;
        }
    }
    if (r->nwarnings < BENCHMARK_WARNINGS && (r->warnings[r->nwarnings] = strdup(text)) != NULL) {
        r->nwarnings++;
    }
}

void benchmark_result_fini(struct benchmark_result *r)
{
    for (int i = 0; i < r->ncurves; i++) {
        free(r->curves[i].points);
    }
    for (int i = 0; i < r->nwarnings; i++) {
        free(r->warnings[i]);
    }
    free(r->curves);
    free(r->comparisons);
    free(r->library);
    free(r->hosts);
    free(r->normalised_hosts);
}

double benchmark_noise_floor(const struct benchmark_result *r)
{
    double *apart, floor;
    int n = 0, most = 0;

    for (int i = 0; i < r->ncurves; i++) {
        most += r->curves[i].npoints;
    }
    apart = malloc((size_t)(most + 1) * sizeof(*apart));
    for (int i = 0; i < r->ncurves && apart; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            const double halves = r->curves[i].points[k].time.halves;
            if (isfinite(halves)) {
                apart[n++] = halves;
            }
        }
    }
    floor = n > 0 ? hitop_median_of(apart, n) : NAN;
    free(apart);
    return floor;
}

/* Warnings that a reader of the results needs. */

/* Numbers of points, of curves and of calls to which a warning applies. */
struct counts {
    int points, limits, without, spread, curves_after;
    double late, calls, discarded;
    double least; /* the shortest time on several hosts, which depends on their clocks */
};

static struct counts count(const struct benchmark_result *r)
{
    struct counts n = {.least = INFINITY};

    for (int i = 0; i < r->ncurves; i++) {
        const struct benchmark_curve *c = &r->curves[i];
        n.curves_after += strcmp(c->timing, hitop_timing_one_barrier.name) == 0;
        for (int k = 0; k < c->npoints; k++) {
            const struct benchmark_point *p = &c->points[k];
            n.points++;
            n.limits += !p->converged;
            n.without += !isfinite(p->time.lo);
            n.spread += !r->request->arrives && p->spread > 0.1 * p->time.median;
            n.late += p->rejected;
            n.discarded += p->discarded;
            n.calls += p->rejected + p->time.n;
            n.least = c->hosts > 1 ? fmin(n.least, p->time.median) : n.least;
        }
    }
    return n;
}

/* Warn if the core-to-core latency changed from curve to curve or within one. */
static void judge_hops(struct benchmark_result *r)
{
    double least = fmin(r->hop[0], r->hop[1]), most = fmax(r->hop[0], r->hop[1]);
    int nwithin = 0;

    for (int i = 0; i < r->ncurves; i++) {
        const double *hop = r->curves[i].hop;
        const double low = fmin(hop[0], hop[1]), high = fmax(hop[0], hop[1]);
        nwithin += high > LINE_HOP_OTHER * low;
        least = fmin(least, low);
        most = fmax(most, high);
    }
    if (r->ncurves > 0 && most > LINE_HOP_OTHER * least) {
        benchmark_result_warn(r,
                              LINE_HOP_WARNING
                              "%.1f ns from rank to rank at one time and %.1f ns "
                              "at another, which changed during %d of %d curves: " LINE_HOP_MEANING
                              " within this launch; --line-hop counts those of one of them",
                              1e9 * least, 1e9 * most, nwithin, r->ncurves);
    }
}

/* Warn if the machine was not in the requested state. */
static void judge_states(struct benchmark_result *r, const struct counts *n)
{
    if (n->discarded > 0 || r->impatient) {
        benchmark_result_warn(r,
                              "%.0f %% of the repetitions did not count: the machine was in "
                              "another state",
                              100 * n->discarded / fmax(n->calls + n->discarded, 1));
    }
    if (r->hop_seen[1] > 0 && (n->discarded > 0 || r->impatient)) {
        benchmark_result_warn(
            r, LINE_HOP_WARNING "%.1f to %.1f ns from rank to rank while it was to take %.4g ns",
            1e9 * r->hop_seen[0], 1e9 * r->hop_seen[1], 1e9 * r->request->line_hop);
    }
    if (r->nslowed > 0) {
        benchmark_result_warn(r,
                              "in %.0f %% of the looks a processor was slower than it can be: "
                              "another program used the other thread of its core, or its power",
                              100.0 * r->nslowed / r->looks);
    }
}

/* Warn of sizes without times or without a comparison. */
static void judge_missing(struct benchmark_result *r)
{
    char sizes[80] = "sizes";

    if (r->nleft > 0) {
        (void)snprintf(sizes, sizeof(sizes), "%d size%s not measured, and others", r->nleft,
                       r->nleft == 1 ? " was" : "s were");
    }
    if (signals_caught()) {
        benchmark_result_warn(r, "%s came: %s may have few repetitions", signals_caught(), sizes);
    } else if (r->impatient) {
        benchmark_result_warn(r,
                              "%s may have few repetitions: for --state-wait, %g s, the machine "
                              "was in other states",
                              sizes, r->request->state_wait);
    } else if (r->nleft > 0) {
        benchmark_result_warn(r, "no time was left for %d size%s; raise --time-limit", r->nleft,
                              r->nleft == 1 ? "" : "s");
    }
    if (r->nuncompared > 0) {
        benchmark_result_warn(
            r,
            "%d of %d sizes %s not compared: blocks of both implementations take longer "
            "than --budget%s",
            r->nuncompared, r->nmeasured, r->nuncompared == 1 ? "was" : "were",
            signals_caught()             ? ", or a signal left no time"
            : r->request->time_limit > 0 ? " or --time-limit leaves"
                                         : "");
    }
}

void benchmark_judge_run(struct benchmark_result *r)
{
    const struct counts n = count(r);
    const double floor = benchmark_noise_floor(r);
    const char *limit = r->request->time_limit > 0 ? "--time-limit, " : "";
    const int by_table = r->request->repetitions == REPETITIONS_IMB;

    judge_missing(r);
    if (n.limits > 0 && r->request->rule.min_samples < r->request->rule.max_samples && !by_table) {
        benchmark_result_warn(r,
                              "%d of %d sizes did not converge; raise %s--budget, --max-reps or "
                              "--eps",
                              n.limits, n.points, limit);
    }
    if (n.without > 0) {
        benchmark_result_warn(r,
                              "in %d of %d sizes repetitions or passes are too few for an "
                              "interval: chance may have made these times; %s%s%s",
                              n.without, n.points, by_table ? "" : "raise ", by_table ? "" : limit,
                              by_table ? "use --repetitions adaptive" : "--budget or --max-reps");
    }
    if (n.late > 0.1 * n.calls) {
        benchmark_result_warn(r, "%.0f %% of the repetitions did not count: a rank came late",
                              100 * n.late / n.calls);
    }
    judge_states(r, &n);
    if (n.curves_after > 0 && r->request->method != &hitop_timing_one_barrier) {
        benchmark_result_warn(r,
                              "%d of %d curves %s timed by one-barrier, because ranks missed start "
                              "times: times include how far apart ranks leave the barrier",
                              n.curves_after, r->ncurves, n.curves_after == 1 ? "is" : "are");
    }
    if (n.spread > 0) {
        benchmark_result_warn(r,
                              "in %d of %d sizes ranks began farther apart than a tenth of the "
                              "time, which includes that; see start_spread_us in csv and json",
                              n.spread, n.points);
    }
    if (isfinite(floor) && floor > 0.1) {
        benchmark_result_warn(r,
                              "the noise floor is %.0f %%: halves of the repetitions differ so "
                              "much; others use the machine",
                              100 * floor);
    }
    judge_hops(r);
    if (r->clock_residual > 0.1 * n.least) {
        benchmark_result_warn(r,
                              "clocks of hosts differ by up to %.1f us, the shortest time on "
                              "several hosts is %.1f us",
                              1e6 * r->clock_residual, 1e6 * n.least);
    }
}
