/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_curve_mpi.c - one operation on some ranks: its sizes, and its results. */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include "hitop/collectives_mpi.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

static void release(struct benchmark_size *z)
{
    if (z->is_own_type) {
        (void)PMPI_Type_free(&z->type);
    }
    for (int implementation = 0; implementation < BENCHMARK_IMPLEMENTATIONS; implementation++) {
        free(z->series[implementation].seconds);
        free(z->series[implementation].spread);
        free(z->series[implementation].last);
        free(z->series[implementation].ends);
    }
}

/* Consecutive sizes that are left out for one reason; one warning reports them. */
struct refusals {
    const char *why;
    int of_all; /* 1: the reason holds for any number of ranks */
    size_t first, last;
    int n;
};

/* With a unit. */
static void name_size(size_t bytes, char *out, size_t length)
{
    hitop_text_format_size(bytes, out, length);
    if (strspn(out, "0123456789") == strlen(out)) {
        (void)snprintf(out, length, "%zu B", bytes);
    }
}

static void report_refusals(const struct benchmark_curve_run *run, const struct refusals *r,
                            struct benchmark_result *result)
{
    char first[32], last[32], ranks[32] = "";

    name_size(r->first, first, sizeof(first));
    name_size(r->last, last, sizeof(last));
    if (!r->of_all) {
        (void)snprintf(ranks, sizeof(ranks), ", %d rank%s", run->team->size,
                       run->team->size == 1 ? "" : "s");
    }
    if (r->n == 1) {
        benchmark_result_warn(result, "%s%s: size %s left out: %s", run->kind->name, ranks, first,
                              r->why);
    } else if (r->n > 1) {
        benchmark_result_warn(result, "%s%s: %d sizes from %s to %s left out: %s", run->kind->name,
                              ranks, r->n, first, last, r->why);
    }
}

static void refuse(const struct benchmark_curve_run *run, struct refusals *r, size_t bytes,
                   const char *why, int of_all, struct benchmark_result *result)
{
    if (r->why != why) {
        report_refusals(run, r, result);
        *r = (struct refusals){.why = why, .of_all = of_all, .first = bytes};
    }
    r->last = bytes;
    r->n++;
}

static void add(struct benchmark_curve_run *run, size_t bytes, int count, size_t unit, int element)
{
    struct benchmark_size *z = &run->sizes[run->nsizes++];

    *z = (struct benchmark_size){.bytes = bytes, .count = count, .type = run->type->type()};
    if (unit != (size_t)element) {
        (void)PMPI_Type_contiguous((int)(unit / (size_t)element), run->type->type(), &z->type);
        (void)PMPI_Type_commit(&z->type);
        z->is_own_type = 1;
    }
}

static enum hitop_status choose_sizes(struct benchmark_curve_run *run,
                                      struct benchmark_result *result, struct hitop_diag *diag)
{
    struct refusals refused = {0};
    size_t *bytes = NULL, n = 0;
    int element = 1; /* bytes of an element by MPI; a handle has another size */
    enum hitop_status status = benchmark_plan_sizes(run->request, run->kind, &bytes, &n, diag);

    if (status != HITOP_OK) {
        return status;
    }
    (void)PMPI_Type_size(run->type->type(), &element);
    n = benchmark_kind_has_sizes(run->kind) ? n : 1;
    run->sizes = calloc(n, sizeof(*run->sizes));
    if (!run->sizes) {
        free(bytes);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %zu sizes", n);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t b = benchmark_kind_has_sizes(run->kind) ? bytes[i] : 0;
        size_t unit;
        int count;
        const char *why = benchmark_plan_size(run->kind, b, run->team->size, (size_t)element,
                                              run->request->memory, &count, &unit);
        if (why) {
            const char *alone = benchmark_plan_size(run->kind, b, 1, (size_t)element,
                                                    run->request->memory, &count, &unit);
            refuse(run, &refused, b, why, why == alone, result);
        } else {
            add(run, b, count, unit, element);
        }
    }
    report_refusals(run, &refused, result);
    free(bytes);
    return HITOP_OK;
}

/* A communicator of its own for each implementation, with its algorithm. */
static enum hitop_status open_implementations(struct benchmark_curve_run *run,
                                              struct hitop_diag *diag)
{
    const char *operation = run->kind->operation;
    enum hitop_status status = HITOP_OK;

    for (int w = 0; w < run->request->nimplementations && run->nsizes > 0 && status == HITOP_OK;
         w++) {
        const char *algorithm = run->request->implementations[w].algorithm;
        (void)PMPI_Comm_dup(run->team->comm, &run->comm[w]);
        if (algorithm && operation) {
            status = hitop_coll_set(run->comm[w], operation, algorithm, diag);
            if (status == HITOP_OK) { /* no timed call is left to MPI during a search */
                status = hitop_coll_set(run->comm[w], "choice", "now", diag);
            }
        }
    }
    return status;
}

void benchmark_curve_close(struct benchmark_curve_run *run, enum hitop_status status)
{
    for (int w = 0; w < run->request->nimplementations && run->nsizes > 0 && status == HITOP_OK;
         w++) {
        (void)PMPI_Comm_free(&run->comm[w]);
    }
    for (int i = 0; i < run->nsizes; i++) {
        release(&run->sizes[i]);
    }
    free(run->sizes);
}

static int has_one_source(const struct benchmark_request *r)
{
    for (int i = 1; i < r->nimplementations; i++) {
        if (r->implementations[i].source != r->implementations[0].source) {
            return 0;
        }
    }
    return 1;
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
        benchmark_result_warn(result, "%s, %d rank%s: left out: there is no root %d", kind->name,
                              size, size == 1 ? "" : "s", r->root);
        return 0;
    }
    if (kind->flags & KIND_P2P && !has_one_source(r)) {
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
        status = choose_sizes(run, result, diag);
    }
    return status == HITOP_OK ? open_implementations(run, diag) : status;
}

static const char *timing_of(const struct benchmark_curve_run *run)
{
    return benchmark_is_round_trip(run->team, run->kind) ? "round-trip"
                                                         : run->team->starter.method->name;
}

/* Note wrong elements of a size, which may have no times, as when the time was over. */
static void note_wrong(const struct benchmark_curve_run *run, int implementation,
                       const struct benchmark_point *p, struct benchmark_result *result)
{
    if (p->wrong > 0 && result->wrong == 0) {
        result->first_wrong =
            (struct benchmark_place){run->kind, run->request->implementations[implementation].name,
                                     p->bytes, run->team->size};
    }
    result->wrong += p->wrong;
}

static enum hitop_status add_curve(struct benchmark_curve_run *run, int implementation,
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
                                          .implementation =
                                              run->request->implementations[implementation].name,
                                          .type = run->type->name,
                                          .timing = timing_of(run),
                                          .ranks = run->team->size,
                                          .hosts = run->team->nodes,
                                          .hop = {run->round->hop[0], run->round->hop[1]},
                                          .points = points};
    }
    for (int i = 0; i < run->nsizes && status == HITOP_OK; i++) {
        struct benchmark_point *p = curve ? &points[curve->npoints] : &unused;
        status = benchmark_size_report(run, &run->sizes[i], implementation, p, diag);
        if (curve) {
            note_wrong(run, implementation, p, result);
            curve->npoints += p->time.n > 0;
        }
    }
    if (curve && curve->npoints == 0) {
        free(curve->points);
        result->ncurves--;
    }
    return status;
}

/* The comparisons of one implementation with the first one. */
static enum hitop_status add_comparisons(const struct benchmark_curve_run *run, int other,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    for (int i = 0; i < run->nsizes && run->team->rank == 0; i++) {
        const struct benchmark_size *z = &run->sizes[i];
        const struct benchmark_pair *pair = &z->pair[other - 1];
        struct benchmark_comparison *c = NULL;
        if (pair->nquads == 0) {
            continue;
        }
        c = benchmark_result_comparison(result);
        if (!c) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for results");
        }
        *c = (struct benchmark_comparison){run->kind, other, run->team->size, z->bytes,
                                           pair->verdict};
    }
    return HITOP_OK;
}

/* Count the sizes without times, and in a comparison those without a verdict. */
static void count_missing(const struct benchmark_curve_run *run, struct benchmark_result *result)
{
    for (int i = 0; i < run->nsizes && run->team->rank == 0; i++) {
        const struct benchmark_size *z = &run->sizes[i];
        int is_measured = 0;
        for (int k = 0; k < run->request->nimplementations; k++) {
            is_measured |= z->series[k].n > 0;
        }
        result->nleft += !is_measured;
        if (is_measured && run->request->nimplementations > 1) {
            result->nmeasured++;
            result->nuncompared += benchmark_size_fewest_quads(run, z) == 0;
        }
    }
}

enum hitop_status benchmark_curve_report(struct benchmark_curve_run *run,
                                         struct benchmark_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int implementation = 0;
         implementation < run->request->nimplementations && run->nsizes > 0 && status == HITOP_OK;
         implementation++) {
        status = add_curve(run, implementation, result, diag);
    }
    for (int k = 1; k < run->request->nimplementations && status == HITOP_OK; k++) {
        status = add_comparisons(run, k, result, diag);
    }
    if (status == HITOP_OK) {
        count_missing(run, result);
    }
    return status;
}
