/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_run_cases_mpi.c - patterns and collectives, from a common start to the end of the last rank.
 *
 * Idea:  in random order, another one in each half of the run: what passes by, passes by few. Each has an even share of
 *        the time that is left.
 */
#include <config.h>

#include "validate_run.h"
#include "validate_time_mpi.h"

#include "hitop/clock_mpi.h"
#include "hitop/plan.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

/* The least that one case has, in seconds. */
#define LEAST 0.002

/* Clocks of a run are compared over so many seconds. */
#define SPAN 0.2

struct clocks {
    struct hitop_clock local;
    struct hitop_common_clock *common;
    MPI_Comm comm; /* of the messages that are timed */
};

static enum hitop_status open_clocks(struct clocks *c, struct hitop_diag *diag)
{
    struct hitop_clock_options options = {.exchanges = 20, .moments = 20, .span = SPAN};

    *c = (struct clocks){.comm = MPI_COMM_NULL};
#ifdef SMPI_H /* only MPI knows the simulated time */
    (void)c->local;
    options.span = 5;
    if (hitop_common_clock_create(MPI_COMM_WORLD, NULL, &options, &c->common, diag) != HITOP_OK) {
#else
    c->local = hitop_clock_monotonic();
    if (hitop_common_clock_create(MPI_COMM_WORLD, &c->local, &options, &c->common, diag) !=
        HITOP_OK) {
#endif
        return HITOP_ERR_MPI;
    }
    if (MPI_Comm_dup(MPI_COMM_WORLD, &c->comm) != MPI_SUCCESS ||
        MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN) != MPI_SUCCESS) {
        return hitop_fail(diag, HITOP_ERR_MPI, "no communicator for messages that are timed");
    }
    return HITOP_OK;
}

static void close_clocks(struct clocks *c)
{
    if (c->comm != MPI_COMM_NULL) {
        (void)MPI_Comm_free(&c->comm);
    }
    hitop_common_clock_free(c->common);
}

/* A permutation that is the same on all ranks. */
static void shuffle(int *order, int n, unsigned long long seed)
{
    unsigned long long x = 2 * seed + 1;

    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int k, keep;
        x = x * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth, MMIX */
        k = (int)((x >> 33) % ((unsigned)i + 1));
        keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
}

/* An even share of what is left for ncases, by the clock of rank 0; not above 0 when nothing is left at all. */
static double find_share(const struct validate_run *run, double end, int ncases)
{
    double share = fmax((end - MPI_Wtime()) / ncases, LEAST);
    const double left = validate_run_left(run);

    (void)MPI_Bcast(&share, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return fmin(share, left);
}

static enum hitop_status measure(struct validate_run *run, const struct clocks *clocks,
                                 const int *order, int half, double end, struct hitop_diag *diag)
{
    const int n = run->cases.n, first = run->nlinks * run->nsizes;

    for (int i = 0; i < n; i++) {
        const struct validate_case *c = &run->cases.at[order[i]];
        const struct validate_precision precision = {run->request->eps, find_share(run, end, n - i),
                                                     run->after_barrier,
                                                     validate_run_is_interrupted, run};
        struct validate_timed t;
        enum hitop_status status;
        if (!(precision.budget > 0)) {
            run->ended_early = 1;
            return HITOP_OK;
        }
        validate_run_tell(
            run, half == 0 ? "patterns and collectives" : "patterns and collectives again", i, n);
        status = hitop_common_clock_tend(clocks->common, diag);
        if (status == HITOP_OK) {
            status = validate_time(clocks->common, clocks->comm, c->plan->sched[run->rank],
                                   &precision, &t, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        run->after_barrier =
            t.after_barrier; /* what happened once would happen again, and takes long */
        validate_add_half(&run->sample[first + order[i]], half, t.seconds, t.lo, t.hi, t.nsamples,
                          t.converged);
    }
    return HITOP_OK;
}

/* Times that the clocks were too far apart for. */
static enum hitop_status check_clocks(const struct validate_run *run, struct clocks *clocks,
                                      struct hitop_diag *diag)
{
    double residual, least = HUGE_VAL;
    const enum hitop_status status =
        hitop_common_clock_check(clocks->common, &residual, NULL, diag);

    for (int i = run->nlinks * run->nsizes; i < run->nsamples; i++) {
        least = run->sample[i].seconds > 0 ? fmin(least, run->sample[i].seconds) : least;
    }
    if (status == HITOP_OK && residual > 0.1 * least) {
        tool_error(run->tool,
                   "warning: clocks went apart by %.2g us, so that times of collectives are that "
                   "much in doubt; the shortest is %.3g us",
                   1e6 * residual, 1e6 * least);
    }
    return status;
}

enum hitop_status validate_run_cases(struct validate_run *run, int half, struct hitop_diag *diag)
{
    const double end = run->start + (half + 1) * run->request->budget / 2;
    int *order = calloc((size_t)run->cases.n, sizeof(*order));
    struct clocks clocks;
    enum hitop_status status;

    if (validate_run_left(run) <= 0) {
        run->ended_early = 1;
        free(order);
        return HITOP_OK;
    }
    status = open_clocks(&clocks, diag);
    if (!order) { /* others cannot go on either */
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        shuffle(order, run->cases.n, run->request->seed + (unsigned)half);
        status = measure(run, &clocks, order, half, end, diag);
    }
    if (status == HITOP_OK) {
        status = check_clocks(run, &clocks, diag);
    }
    close_clocks(&clocks);
    free(order);
    return status;
}
