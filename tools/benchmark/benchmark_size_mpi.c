/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_size_mpi.c - the times of one size, by one implementation or by two in turn. */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"
#include "tools/benchmark/benchmark_run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The warm-up of one implementation takes at most these parts of a size's budget and of a turn.
 * A block of a comparison takes about block_seconds.
 */
static const double warm_up = 0.05, warm_up_of_turn = 0.25, block_seconds = 2e-3;

/* Calls of such a block. */
enum { FEWEST_OF_A_BLOCK = 3, MOST_OF_A_BLOCK = 25 };

static struct hitop_stop_rule rule_of(const struct benchmark_curve_run *run,
                                      const struct benchmark_size *z)
{
    return benchmark_plan_rule(run->request, z->bytes);
}

static struct benchmark_work work_of(struct benchmark_curve_run *run,
                                     const struct benchmark_size *z, int implementation)
{
    return (struct benchmark_work){.data = &run->round->data,
                                   .by = run->round->by[implementation],
                                   .comm = run->comm[implementation],
                                   .root = run->root,
                                   .batch = z->batch > 0 ? z->batch : 1,
                                   .slow_down =
                                       run->request->implementations[implementation].slow_down,
                                   .turn = z->turn};
}

enum hitop_status benchmark_size_take(struct benchmark_curve_run *run, struct benchmark_size *z,
                                      int implementation, int n, int is_kept,
                                      struct benchmark_block *b, double *median,
                                      struct hitop_diag *diag)
{
    struct benchmark_work work = work_of(run, z, implementation);
    const unsigned long long wrong = run->round->data.wrong;
    enum hitop_status status = benchmark_team_run(run->team, &work, n, b, diag);
    double sorted[BLOCK_MOST];

    z->turn = work.turn;
    z->series[implementation].wrong += run->round->data.wrong - wrong;
    if (status != HITOP_OK) {
        return status;
    }
    memcpy(sorted, b->seconds, (size_t)b->n * sizeof(*sorted));
    *median = run->team->rank == 0 ? hitop_median_of(sorted, b->n) : 0;
    return is_kept
               ? benchmark_series_keep(&z->series[implementation], b, run->team->rank == 0, diag)
               : HITOP_OK;
}

/*
 * Make 1, 2, 4 ... calls until two medians are within 5 %, or until the time for the warm-up is
 * over; then choose the lengths of blocks and passes. If that time allows a single call, its time
 * counts: the discarded first call of its block was the warm-up.
 */
static enum hitop_status warm(struct benchmark_curve_run *run, struct benchmark_size *z,
                              struct hitop_diag *diag)
{
    const struct hitop_stop_rule rule = rule_of(run, z);
    const double longest =
        fmin(warm_up * run->request->budget, warm_up_of_turn * run->round->share);
    enum hitop_status status = HITOP_OK;
    double before = 0, median = 0, call = 0, *between = &run->round->between;
    struct benchmark_block b = {0};
    int found[6], is_one = 0;

    for (int implementation = 0;
         implementation < run->request->nimplementations && status == HITOP_OK; implementation++) {
        const double start = MPI_Wtime();
        int done = 0;
        for (int n = 1; !done && status == HITOP_OK; n = n < 64 ? 2 * n : n) {
            const double begin = MPI_Wtime();
            status = benchmark_size_take(run, z, implementation, n, 0, &b, &median, diag);
            call = (MPI_Wtime() - begin) / (b.n + b.rejected + 1);
            *between = fmin(*between, fmax(call - median, 0));
            done = (n > 2 && fabs(median - before) <= 0.05 * median) || b.over ||
                   MPI_Wtime() - start > longest;
            before = median;
            is_one = n == 1;
            if (status == HITOP_OK) {
                status = benchmark_team_agree(run->team, &done, 1, diag);
            }
        }
    }
    z->batch = benchmark_batch(run->team, &run->round->data, median);
    z->per_block = median > 0 ? (int)(block_seconds / (median * z->batch)) : MOST_OF_A_BLOCK;
    z->per_block = z->per_block < FEWEST_OF_A_BLOCK ? FEWEST_OF_A_BLOCK
                   : z->per_block > MOST_OF_A_BLOCK ? MOST_OF_A_BLOCK
                                                    : z->per_block;
    z->passes = hitop_benchmark_passes_choose(&rule, run->request->passes,
                                              call + 2 * (z->batch - 1) * median,
                                              run->request->budget, run->round->slot);
    found[0] = z->batch;
    found[1] = z->per_block;
    found[2] = z->passes.wanted;
    found[3] = z->passes.per_pass;
    found[4] = z->passes.warm_again;
    found[5] = is_one && z->batch == 1 && run->request->nimplementations == 1;
    if (status == HITOP_OK) {
        status = benchmark_team_agree(run->team, found, 6, diag);
    }
    z->batch = found[0];
    z->per_block = found[1];
    z->passes = (struct benchmark_passes){found[2], found[3], found[4]};
    z->call = median + *between;
    return status == HITOP_OK && found[5]
               ? benchmark_series_keep(&z->series[0], &b, run->team->rank == 0, diag)
               : status;
}

/*
 * One pass of a size without a comparison.
 *
 * Idea:  a look evaluates the samples of several passes together. A pass takes at most its part of
 *        the budget, so that slow calls get as many passes as fast ones.
 */

/* Seconds left of the budget of a size whose turn began at `begin`. */
static double budget_left(const struct benchmark_curve_run *run, const struct benchmark_size *z,
                          double begin)
{
    return run->request->budget - z->spent - (MPI_Wtime() - begin);
}

/*
 * Set the deadline of a pass that began at `begin`: the end of its part of the size's budget, or
 * `deadline` if that is earlier; `deadline` 0: none.
 */
static void set_deadline(struct benchmark_curve_run *run, const struct benchmark_size *z,
                         double begin, double deadline)
{
    const int passes = z->passes.wanted - z->series[0].npasses;
    const double part = budget_left(run, z, begin) / (passes > 1 ? passes : 1);
    const double own = fmin(MPI_Wtime() + part, begin + run->round->share);

    run->team->deadline = deadline > 0 && deadline < own ? deadline : own;
}

/* End a turn; *over: 1 if rank 0 has no time for more of this size. */
static enum hitop_status end_turn(struct benchmark_curve_run *run, const struct benchmark_size *z,
                                  double begin, double deadline, int *over, struct hitop_diag *diag)
{
    run->team->deadline = deadline;
    *over = benchmark_team_is_over(run->team) || budget_left(run, z, begin) <= 0;
    return benchmark_team_agree(run->team, over, 1, diag);
}

/* Evaluate the samples so far at rank 0. */
static enum hitop_status look(const struct benchmark_curve_run *run, struct benchmark_size *z,
                              struct hitop_diag *diag)
{
    const struct hitop_stop_rule rule = rule_of(run, z);
    const struct benchmark_series *s = &z->series[0];
    struct hitop_median m = {0};
    enum hitop_status status = HITOP_OK;

    if (run->team->rank == 0) {
        status = z->passes.wanted > 1
                     ? hitop_stop_check_passes(&rule, z->looks, s->seconds, s->ends, s->npasses, &m,
                                               diag)
                     : hitop_stop_check(&rule, z->looks, s->seconds, s->n, &m, diag);
    }
    z->converged = m.converged;
    z->since = 0;
    return status;
}

/* The number of samples at which a pass ends, so that the next look has enough. */
static int end_of_pass(const struct benchmark_curve_run *run, const struct benchmark_size *z)
{
    const struct hitop_stop_rule rule = rule_of(run, z);
    const int n = z->series[0].n;
    const int before = hitop_benchmark_passes_before(&z->passes, z->looks);
    const int left = before > z->since ? before - z->since : 1;
    const int wanted = hitop_benchmark_passes_next(&rule, &z->passes, z->looks) - n;

    return n + (wanted + left - 1) / left;
}

/* 1: there are enough passes and samples for a look. The time limit may cut passes short. */
static int is_enough(const struct benchmark_curve_run *run, const struct benchmark_size *z)
{
    const struct hitop_stop_rule rule = rule_of(run, z);
    const int least = z->passes.wanted > 1
                          ? rule.min_samples
                          : hitop_benchmark_passes_next(&rule, &z->passes, z->looks);

    return z->since >= hitop_benchmark_passes_before(&z->passes, z->looks) &&
           z->series[0].n >= least;
}

/* Take n calls of a pass. If the starts of calls change, earlier ones are dropped, *end is new. */
static enum hitop_status take_of_pass(struct benchmark_curve_run *run, struct benchmark_size *z,
                                      int n, int is_kept, int *end, int *over,
                                      struct hitop_diag *diag)
{
    struct benchmark_block b;
    double median;
    const enum hitop_status status =
        benchmark_size_take(run, z, 0, n < BLOCK_MOST ? n : BLOCK_MOST, is_kept, &b, &median, diag);

    if (status == HITOP_OK && b.restarted) {
        if (!is_kept) {
            benchmark_series_drop(&z->series[0]);
        }
        z->looks = 1;
        z->since = 0;
        *end = end_of_pass(run, z);
    }
    *over = b.over;
    return status;
}

/*
 * *all: 1 if there is no time for more than the call of the warm-up. A block has at least two
 * calls, of which one counts.
 */
static enum hitop_status is_warm_up_all(const struct benchmark_curve_run *run,
                                        const struct benchmark_size *z, double begin, int *all,
                                        struct hitop_diag *diag)
{
    *all = 0;
    if (z->series[0].n == 0 || z->series[0].npasses > 0 || z->since > 0 || z->looks > 1) {
        return HITOP_OK;
    }
    *all = run->team->rank == 0 &&
           MPI_Wtime() + 2 * z->call - begin > BENCHMARK_OVER * (run->team->deadline - begin);
    return benchmark_team_agree(run->team, all, 1, diag);
}

/* Take the samples of a pass, and a look if there are enough; *over: there is no time for more. */
static enum hitop_status advance_alone(struct benchmark_curve_run *run, struct benchmark_size *z,
                                       double begin, double deadline, int *over,
                                       struct hitop_diag *diag)
{
    const int most = rule_of(run, z).max_samples, again = z->passes.warm_again;
    struct benchmark_series *s = &z->series[0];
    enum hitop_status status = HITOP_OK;
    int end, pass_is_over = 0;

    z->looks += z->since == 0;
    end = end_of_pass(run, z);
    status = is_warm_up_all(run, z, begin, &pass_is_over, diag);
    if (status == HITOP_OK && s->npasses > 0 && again > 0) {
        status = take_of_pass(run, z, again, 0, &end, &pass_is_over, diag);
    }
    while (status == HITOP_OK && !pass_is_over && s->n < end) {
        status = take_of_pass(run, z, end - s->n, 1, &end, &pass_is_over, diag);
    }
    z->since++;
    if (status == HITOP_OK && s->n > 0) {
        status = benchmark_series_end_pass(s, diag);
    }
    if (status == HITOP_OK) {
        status = end_turn(run, z, begin, deadline, over, diag);
    }
    if (status == HITOP_OK && s->n > 0 && (*over || s->n >= most || is_enough(run, z))) {
        status = look(run, z, diag);
    }
    z->finished = z->converged || s->n >= most;
    return status;
}

/* The turns of a size that is compared. */

int benchmark_size_fewest_quads(const struct benchmark_curve_run *run,
                                const struct benchmark_size *z)
{
    int fewest = z->pair[0].nquads;

    for (int p = 1; p + 1 < run->request->nimplementations; p++) {
        fewest = z->pair[p].nquads < fewest ? z->pair[p].nquads : fewest;
    }
    return fewest;
}

/* Forget all times, except those of the last block of one implementation. */
static void drop_others(struct benchmark_size *z, int implementation)
{
    for (int i = 0; i < BENCHMARK_IMPLEMENTATIONS; i++) {
        if (i != implementation) {
            benchmark_series_drop(&z->series[i]);
        }
    }
    for (int p = 0; p < BENCHMARK_PAIRS; p++) {
        z->pair[p] = (struct benchmark_pair){.nquads = 0};
    }
}

/* Take four blocks of the implementations of a pair: A B B A or B A A B. */
static enum hitop_status take_quad(struct benchmark_curve_run *run, struct benchmark_size *z, int p,
                                   int *over, struct hitop_diag *diag)
{
    struct benchmark_pair *pair = &z->pair[p];
    const int draw = p * VERDICT_MOST_QUADS + pair->nquads;
    const int first =
        (int)(hitop_pattern_drawn(run->request->seed, (int)(z->bytes % INT_MAX), draw) & 1);
    double logs[2] = {0, 0}, median = 0;
    enum hitop_status status = HITOP_OK;
    struct benchmark_block b;

    for (int k = 0; k < 4 && status == HITOP_OK && !*over; k++) {
        const int is_b = k == 0 || k == 3 ? first : !first;
        const int implementation = is_b ? p + 1 : 0;
        status = benchmark_size_take(run, z, implementation, z->per_block, 1, &b, &median, diag);
        if (b.restarted) { /* earlier calls began differently */
            drop_others(z, implementation);
            return status;
        }
        logs[is_b] += log(median > 0 ? median : 1e-9);
        *over = b.over;
    }
    if (!*over && status == HITOP_OK) {
        pair->quads[pair->nquads++] = (logs[1] - logs[0]) / 2;
    }
    return status;
}

/* Take a quad of each pair that has fewer than others, until all have `wanted`. */
static enum hitop_status take_quads(struct benchmark_curve_run *run, struct benchmark_size *z,
                                    int wanted, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int pass_is_over = 0, fewest;

    while (status == HITOP_OK && !pass_is_over &&
           (fewest = benchmark_size_fewest_quads(run, z)) < wanted) {
        int p = 0;
        while (z->pair[p].nquads != fewest) {
            p++;
        }
        status = take_quad(run, z, p, &pass_is_over, diag);
    }
    return status;
}

/* Judge all pairs at rank 0; *settled: 1 if each has a verdict that more quads would not change. */
static enum hitop_status judge(const struct benchmark_curve_run *run, struct benchmark_size *z,
                               int *settled, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *settled = run->team->rank == 0;
    for (int p = 0; p + 1 < run->request->nimplementations && run->team->rank == 0; p++) {
        struct benchmark_pair *pair = &z->pair[p];
        if (pair->nquads > 0 && status == HITOP_OK) {
            status = hitop_benchmark_judge(pair->quads, pair->nquads, 0.99, run->request->margin,
                                           &pair->verdict, diag);
        }
        *settled &= pair->verdict.settled;
    }
    return status;
}

/*
 * Take quads until the next look. If the time limit cuts them short, the next pass goes on with
 * them; verdicts end the size only at a look.
 */
static enum hitop_status advance_pairs(struct benchmark_curve_run *run, struct benchmark_size *z,
                                       double begin, double deadline, int *over,
                                       struct hitop_diag *diag)
{
    enum hitop_status status;
    int wanted, fewest, settled = 0;

    z->looks += z->since == 0;
    wanted = hitop_benchmark_verdict_next(z->looks);
    status = take_quads(run, z, wanted, diag);
    if (status == HITOP_OK) {
        status = end_turn(run, z, begin, deadline, over, diag);
    }
    fewest = benchmark_size_fewest_quads(run, z);
    z->since = !*over && fewest < wanted;
    if (status == HITOP_OK) {
        status = judge(run, z, &settled, diag);
    }
    z->converged = z->since == 0 && settled;
    z->finished = z->converged || fewest >= VERDICT_MOST_QUADS;
    return status;
}

void benchmark_size_begin_anew_if(struct benchmark_size *z, const struct hitop_timing *method)
{
    if (z->method == method) {
        return;
    }
    drop_others(z, -1);
    z->method = method;
    z->looks = z->since = z->finished = z->converged = z->batch = 0;
    z->passes = (struct benchmark_passes){0};
    z->spent = 0;
}

enum hitop_status benchmark_size_advance(struct benchmark_curve_run *run, struct benchmark_size *z,
                                         struct hitop_diag *diag)
{
    const double start = MPI_Wtime(), deadline = run->team->deadline;
    int over = benchmark_team_is_over(run->team), facts[2];
    enum hitop_status status = benchmark_team_agree(run->team, &over, 1, diag);

    benchmark_size_begin_anew_if(z, run->team->starter.method);
    if (status != HITOP_OK || (over && (z->looks == 0 || z->passes.wanted > 1))) {
        /* there is no time to begin anything */
        z->finished = 1;
        return status;
    }
    over = 0;
    status = hitop_common_clock_tend(run->team->clock, diag);
    set_deadline(run, z, start, deadline);
    benchmark_data_become(&run->round->data, run->kind, run->type, z->bytes, z->count, z->type);
    if (status == HITOP_OK && z->looks == 0) {
        status = warm(run, z, diag);
        set_deadline(run, z, start, deadline);
    }
    if (status == HITOP_OK) {
        status = run->request->nimplementations > 1
                     ? advance_pairs(run, z, start, deadline, &over, diag)
                     : advance_alone(run, z, start, deadline, &over, diag);
    }
    run->team->deadline = deadline;
    z->spent += MPI_Wtime() - start;
    facts[0] =
        z->finished || over || z->spent + 2 * z->call >= BENCHMARK_OVER * run->request->budget;
    facts[1] = z->converged;
    if (status == HITOP_OK) {
        status = benchmark_team_agree(run->team, facts, 2, diag);
    }
    z->finished = facts[0];
    z->converged = facts[1];
    return status;
}

enum hitop_status benchmark_size_report(struct benchmark_curve_run *run, struct benchmark_size *z,
                                        int implementation, struct benchmark_point *out,
                                        struct hitop_diag *diag)
{
    const struct hitop_stop_rule rule = rule_of(run, z);
    const struct benchmark_series *s = &z->series[implementation];
    const int npasses = z->passes.wanted > 1 ? s->npasses : 0; /* for the interval */
    const double mean = s->ncalls > 0 ? s->own / (double)s->ncalls : 0;
    double extremes[2] = {mean, -mean}, sums[2] = {mean, 0}, most[2], all[2];
    int code = PMPI_Reduce(extremes, most, 2, MPI_DOUBLE, MPI_MAX, 0, run->team->comm);

    sums[1] = s->ncalls > 0 ? s->at_root / (double)s->ncalls : 0;
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, run->team->comm);
    }
    *out = (struct benchmark_point){.bytes = z->bytes,
                                    .rejected = s->rejected,
                                    .discarded = s->discarded,
                                    .converged = z->converged,
                                    .batch = z->batch,
                                    .passes = s->npasses > 0 ? s->npasses : 1,
                                    .checked = run->request->check};
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(&s->wrong, &out->wrong, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0,
                           run->team->comm);
    }
    if (code != MPI_SUCCESS || run->team->rank != 0 || s->n == 0) {
        return hitop_transport_check(code, "collecting results", diag);
    }
    out->own_most = most[0];
    out->own_least = -most[1];
    out->own_mean = all[0] / run->team->size;
    out->own_root = all[1];
    out->spread = hitop_median_of(s->spread, s->n);
    out->slowest = hitop_benchmark_most_often(s->last, s->n, run->team->size, &out->slowest_share);
    return hitop_benchmark_summarize(&rule, z->looks > 0 ? z->looks : 1, s->seconds, s->n, s->ends,
                                     npasses, benchmark_step(run->team, run->kind, z->batch),
                                     &out->time, diag);
}
