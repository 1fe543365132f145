/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_curve_mpi.c - one operation on some ranks: whether it can be measured there, and what
 * came out. */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include "hitop/collectives_mpi.h"

#include <stdlib.h>

/* A communicator of its own for each way, with its algorithm. */
static enum hitop_status open_ways(struct benchmark_curve_run *run, struct hitop_diag *diag)
{
    const char *operation = run->kind->operation;
    enum hitop_status status = HITOP_OK;

    for (int w = 0; w < run->request->nways && run->nsizes > 0 && status == HITOP_OK; w++) {
        const char *algorithm = run->request->ways[w].algorithm;
        (void)PMPI_Comm_dup(run->team->comm, &run->comm[w]);
        if (algorithm && operation) {
            status = hitop_coll_set(run->comm[w], operation, algorithm, diag);
        }
    }
    return status;
}

void benchmark_curve_close(struct benchmark_curve_run *run)
{
    for (int w = 0; w < run->request->nways && run->nsizes > 0; w++) {
        (void)PMPI_Comm_free(&run->comm[w]);
    }
}

/* 1 when a kind can be measured on so many ranks, else a warning. */
static int is_possible(const struct benchmark_request *r, const struct benchmark_kind *kind,
                       int size, struct benchmark_result *result)
{
    if (kind->sender && size < 2 && kind->flags & KIND_HALVES) {
        benchmark_result_warn(result, "%s left out: it wants 2 ranks", kind->name);
        return 0;
    }
    if (benchmark_kind_has_root(kind) && r->root >= size) {
        benchmark_result_warn(result, "%s, %d ranks: left out: there is no root %d", kind->name,
                              size, r->root);
        return 0;
    }
    if (kind->flags & KIND_P2P && r->nways > 1 && r->ways[0].by != r->ways[1].by) {
        benchmark_result_warn(result, "%s left out: messages are MPI's alone", kind->name);
        return 0;
    }
    return 1;
}

enum hitop_status benchmark_curve_open(struct benchmark_curve_run *run,
                                       struct benchmark_round *round,
                                       const struct benchmark_kind *kind,
                                       struct benchmark_result *result, struct hitop_diag *diag)
{
    const struct benchmark_request *r = round->request;
    enum hitop_status status;

    *run = (struct benchmark_curve_run){
        .request = r, .kind = kind, .team = round->team, .round = round};
    if (!is_possible(r, kind, round->team->size, result)) {
        return HITOP_OK;
    }
    run->root = benchmark_kind_has_root(kind) ? r->root : 0;
    status = benchmark_type_find(r->type, kind, &run->type, diag);
    if (status == HITOP_ERR_NOTFOUND) {
        benchmark_result_warn(result, "left out: %s", diag->message);
        return HITOP_OK;
    }
    if (status == HITOP_OK) {
        status = benchmark_sizes_choose(run, result, diag);
    }
    return status == HITOP_OK ? open_ways(run, diag) : status;
}

static const char *timing_of(const struct benchmark_curve_run *run)
{
    return run->team->starter.by_barrier                   ? "after-barrier"
           : benchmark_is_round_trip(run->team, run->kind) ? "round-trip"
                                                           : "round-time";
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
                                          .hop = {run->round->hop[0], run->round->hop[1]},
                                          .points = points};
    }
    for (int i = 0; i < run->nsizes && status == HITOP_OK; i++) {
        struct benchmark_point *p = curve ? &points[curve->npoints] : &unused;
        status = benchmark_size_report(run, &run->sizes[i], way, p, diag);
        if (curve) {
            curve->npoints += p->time.n > 0;
        }
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

/* Sizes of which there is nothing, and, where ways are compared, those of which there is no
 * comparison. */
static void count_missing(const struct benchmark_curve_run *run, struct benchmark_result *result)
{
    for (int i = 0; i < run->nsizes && run->team->rank == 0; i++) {
        const struct benchmark_size *z = &run->sizes[i];
        const int is_measured = z->series[0].n > 0 || z->series[1].n > 0;
        result->nleft += !is_measured;
        result->nuncompared += is_measured && run->request->nways > 1 && z->nquads == 0;
    }
}

enum hitop_status benchmark_curve_report(struct benchmark_curve_run *run,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int way = 0; way < run->request->nways && run->nsizes > 0 && status == HITOP_OK; way++) {
        status = add_curve(run, way, result, diag);
    }
    if (status == HITOP_OK && run->request->nways > 1) {
        status = add_comparisons(run, result, diag);
    }
    if (status == HITOP_OK) {
        count_missing(run, result);
    }
    return status;
}
