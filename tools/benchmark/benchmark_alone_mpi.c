/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_alone_mpi.c - one pass of a size that is compared with nothing.
 *
 * Idea:  samples of several passes are looked at together; a pass may take its part of the budget and no more, so that
 *        slow calls come to as many passes as fast ones.
 */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include <math.h>

/* Seconds, of a size that is measured since `begin`. */
static double budget_left(const struct benchmark_curve_run *run, const struct benchmark_size *z,
                          double begin)
{
    return run->request->budget - z->spent - (MPI_Wtime() - begin);
}

void benchmark_size_set_deadline(struct benchmark_curve_run *run, const struct benchmark_size *z,
                                 double begin, double deadline)
{
    const int passes = z->passes.wanted - z->series[0].npasses;
    const double part = budget_left(run, z, begin) / (passes > 1 ? passes : 1);
    const double own = fmin(MPI_Wtime() + part, begin + run->round->share);

    run->team->deadline = deadline > 0 && deadline < own ? deadline : own;
}

enum hitop_status benchmark_size_end_turn(struct benchmark_curve_run *run,
                                          const struct benchmark_size *z, double begin,
                                          double deadline, int *over, struct hitop_diag *diag)
{
    run->team->deadline = deadline;
    *over = benchmark_team_is_over(run->team) || budget_left(run, z, begin) <= 0;
    return benchmark_curve_agree(run, over, 1, diag);
}

/* What rank 0 makes of the samples so far. */
static enum hitop_status look(const struct benchmark_curve_run *run, struct benchmark_size *z,
                              struct hitop_diag *diag)
{
    const struct benchmark_series *s = &z->series[0];
    struct hitop_median m = {0};
    enum hitop_status status = HITOP_OK;

    if (run->team->rank == 0) {
        status = z->passes.wanted > 1
                     ? hitop_stop_check_passes(&run->request->rule, z->looks, s->seconds, s->ends,
                                               s->npasses, &m, diag)
                     : hitop_stop_check(&run->request->rule, z->looks, s->seconds, s->n, &m, diag);
    }
    z->converged = m.converged;
    z->since = 0;
    return status;
}

/* What the pass may add, so that there are enough samples at the next look. */
static int end_of_pass(const struct benchmark_curve_run *run, const struct benchmark_size *z)
{
    const int n = z->series[0].n;
    const int before = benchmark_passes_before(&z->passes, z->looks);
    const int left = before > z->since ? before - z->since : 1;
    const int wanted = benchmark_passes_next(&run->request->rule, &z->passes, z->looks) - n;

    return n + (wanted + left - 1) / left;
}

/* For a look, where there is time for more: a limit of time may have cut passes short. */
static int is_enough(const struct benchmark_curve_run *run, const struct benchmark_size *z)
{
    const struct hitop_stop_rule *rule = &run->request->rule;
    const int least = z->passes.wanted > 1 ? rule->min_samples
                                           : benchmark_passes_next(rule, &z->passes, z->looks);

    return z->since >= benchmark_passes_before(&z->passes, z->looks) && z->series[0].n >= least;
}

/* Some calls of a pass; *end of it is another one where the calls before have to go. */
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

/* Whether the call of the warm-up is all that there is time for: a block is two calls at least, of which one counts. */
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
    return benchmark_curve_agree(run, all, 1, diag);
}

enum hitop_status benchmark_size_advance_alone(struct benchmark_curve_run *run,
                                               struct benchmark_size *z, double begin,
                                               double deadline, int *over, struct hitop_diag *diag)
{
    const int most = run->request->rule.max_samples, again = z->passes.warm_again;
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
        status = benchmark_size_end_turn(run, z, begin, deadline, over, diag);
    }
    if (status == HITOP_OK && s->n > 0 && (*over || s->n >= most || is_enough(run, z))) {
        status = look(run, z, diag);
    }
    z->finished = z->converged || s->n >= most;
    return status;
}
