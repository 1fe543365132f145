/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_curve_mpi.c - all sizes of an operation on some ranks.
 *
 * Idea:  pass by pass every size that is not finished gets some more repetitions, in an order that is drawn anew, so
 *        that what disturbs the machine for a while disturbs all sizes alike. The first passes are some time apart,
 *        so that no size is known from one state of the machine alone.
 */
#include <config.h>

#include "benchmark_hop_mpi.h"
#include "benchmark_run.h"

#include "hierarchy/last_level.h"
#include "models/transport_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void shuffle(int *order, int n, unsigned long long seed, int pass)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)(pattern_drawn(seed, pass, i) % (unsigned)(i + 1));
        const int other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

static void tell_progress(const struct benchmark_curve_run *run, int pass, double *before)
{
    const struct benchmark_request *r = run->request;
    const double now = MPI_Wtime();
    int done = 0;

    if (run->team->rank != 0 || r->quiet || (!r->progress && !isatty(STDERR_FILENO)) ||
        now - *before < 1) {
        return;
    }
    for (int i = 0; i < run->nsizes; i++) {
        done += run->sizes[i].finished;
    }
    fprintf(stderr, "benchmark_collective: %s, %d ranks: %d of %d sizes done, pass %d\n",
            run->kind->name, run->team->size, done, run->nsizes, pass);
    *before = now;
}

double benchmark_curve_spread(const struct benchmark_curve_run *run)
{
    const struct benchmark_request *r = run->request;

#ifdef SMPI_H
    (void)r;
    return 0; /* a simulated machine is the same at any time */
#else
    /* of a limit of time as much remains for other curves */
    const double curves = 2.0 * r->nkinds * (r->ncounts > 0 ? r->ncounts : 1);
    const double most = r->time_limit > 0 ? r->time_limit / curves : HUGE_VAL;

    return r->passes > 1 ? fmin(most, fmin(r->spread, r->budget * run->nsizes)) : 0;
#endif
}

/* Until the pass may begin, by rank 0's clock, or everything ends; the others leave it the processors. */
static enum hitop_status wait_for_pass(const struct benchmark_curve_run *run, double begin,
                                       struct hitop_diag *diag)
{
    MPI_Request all;
    double left = begin - MPI_Wtime();

    while (run->team->rank == 0 && left > 0 && !benchmark_team_is_over(run->team)) {
        const double nap = fmin(left, 0.05);
        const struct timespec pause = {.tv_nsec = (long)(1e9 * nap)};
        (void)nanosleep(&pause, NULL);
        left = begin - MPI_Wtime();
    }
    if (PMPI_Ibarrier(run->team->comm, &all) != MPI_SUCCESS) {
        return hitop_fail(diag, HITOP_ERR_MPI, "waiting for a pass");
    }
    return transport_check(wait_quietly(&all, 1), "waiting for a pass", diag);
}

/* Is there a size that wants this pass to be later than the one before? */
static int wants_distance(const struct benchmark_curve_run *run, int pass)
{
    for (int i = 0; i < run->nsizes; i++) {
        const struct benchmark_size *z = &run->sizes[i];
        if (!z->finished && pass > 1 && pass <= z->passes.wanted) {
            return 1;
        }
    }
    return 0;
}

static enum hitop_status measure_sizes(struct benchmark_curve_run *run, struct hitop_diag *diag)
{
    int *order = calloc((size_t)run->nsizes, sizeof(*order)), left = run->nsizes;
    enum hitop_status status = HITOP_OK;
    const double begin = MPI_Wtime(), spread = benchmark_curve_spread(run);
    double before = begin;

    if (!order) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d sizes", run->nsizes);
    }
    for (int i = 0; i < run->nsizes; i++) {
        order[i] = i;
    }
    for (int pass = 1; left > 0 && status == HITOP_OK; pass++) {
        if (!run->request->in_order) {
            shuffle(order, run->nsizes, run->request->seed, pass);
        }
        if (wants_distance(run, pass)) {
            status = wait_for_pass(run, begin + spread * (pass - 1) / run->request->passes, diag);
        }
        left = 0;
        for (int i = 0; i < run->nsizes && status == HITOP_OK; i++) {
            struct benchmark_size *z = &run->sizes[order[i]];
            if (!z->finished) {
                status = benchmark_size_advance(run, z, diag);
                left += !z->finished;
                tell_progress(run, pass, &before);
            }
        }
    }
    free(order);
    return status;
}

static const char *timing_of(const struct benchmark_curve_run *run)
{
    return run->team->starter.by_barrier ? "after-barrier" : "round-time";
}

static enum hitop_status add_curve(struct benchmark_curve_run *run, int way,
                                   struct benchmark_result *result, struct hitop_diag *diag)
{
    struct benchmark_curve *curve = NULL;
    struct benchmark_point unused, *points = &unused;
    enum hitop_status status = HITOP_OK;

    if (run->team->rank == 0) {
        curve = benchmark_result_curve(result);
        points = calloc((size_t)run->nsizes, sizeof(*points));
        if (!curve || !points) {
            free(points);
            return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for results");
        }
        *curve = (struct benchmark_curve){.kind = run->kind,
                                          .way = run->request->ways[way].name,
                                          .type = run->type->name,
                                          .timing = timing_of(run),
                                          .ranks = run->team->size,
                                          .hosts = run->team->nodes,
                                          .hop = {run->hop[0], run->hop[1]},
                                          .points = points};
    }
    for (int i = 0; i < run->nsizes && status == HITOP_OK; i++) {
        struct benchmark_point *p = curve ? &points[curve->npoints] : &unused;
        status = benchmark_size_report(run, &run->sizes[i], way, p, diag);
        if (curve) {
            curve->npoints += p->time.n > 0;
        }
    }
    if (curve && way == 0) {
        result->nleft += run->nsizes - curve->npoints;
    }
    if (curve && curve->npoints == 0) {
        free(curve->points);
        result->ncurves--;
    }
    return status;
}

static enum hitop_status add_comparisons(const struct benchmark_curve_run *run,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    for (int i = 0; i < run->nsizes && run->team->rank == 0; i++) {
        const struct benchmark_size *z = &run->sizes[i];
        struct benchmark_comparison *c = z->nquads > 0 ? benchmark_result_comparison(result) : NULL;
        if (z->nquads > 0 && !c) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for results");
        }
        if (c) {
            *c = (struct benchmark_comparison){run->kind, run->team->size, z->bytes, z->verdict};
        }
    }
    return HITOP_OK;
}

/* The largest message that is measured. */
static size_t longest(const struct benchmark_curve_run *run)
{
    return run->sizes[run->nsizes - 1].bytes; /* they rise */
}

enum hitop_status benchmark_curve_measure(struct benchmark_curve_run *run,
                                          struct benchmark_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = benchmark_sizes_choose(run, result, diag);

    if (status != HITOP_OK || run->nsizes == 0) {
        return status;
    }
    run->data.kind = run->kind;
    run->data.type = run->type;
    run->data.cache = run->request->cache;
    run->data.check = run->request->check;
    run->data.rank = run->team->rank;
    run->data.size = run->team->size;
    status = benchmark_data_init(&run->data, longest(run),
                                 run->request->cache == HITOP_CACHE_HOT ? 0 : last_level_cache(),
                                 run->request->memory, diag);
    if (status == HITOP_OK) {
        run->hop[0] = benchmark_hop(run->team->comm);
        status = measure_sizes(run, diag);
    }
    if (status == HITOP_OK) {
        run->hop[1] = benchmark_hop(run->team->comm);
    }
    benchmark_data_fini(&run->data);
    for (int way = 0; way < run->request->nways && status == HITOP_OK; way++) {
        status = add_curve(run, way, result, diag);
    }
    if (status == HITOP_OK && run->request->nways > 1) {
        status = add_comparisons(run, result, diag);
    }
    return status;
}
