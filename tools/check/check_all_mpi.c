/* SPDX-License-Identifier: BSD-3-Clause */
/* check_all_mpi.c - every algorithm with several lengths, roots and datatypes. */
#include <config.h>

#include "tools/check/check.h"
#include "tools/check/check_call_mpi.h"
#include "tools/check/check_cpm.h"
#include "tools/check/check_names.h"

#include "hitop/choice.h"
#include "hitop/collectives_mpi.h"
#include "hitop/cpm.h"
#include "hitop/model.h"
#include "hitop/sys/coll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENT = 4096 };

/* Lengths in bytes; a call has as many whole elements, but at least one if it is not 0. */
static const size_t lengths[] = {0, 1, 56, SEGMENT - 8, SEGMENT, SEGMENT + 8, 70001};

enum { NLENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

/* Counts of one algorithm, on this rank. nothers: calls that another algorithm served. */
struct tally {
    enum hitop_operation_id id;
    const char *algorithm; /* perhaps with parameters; NULL: a function of the user's library */
    int ncalls, nwrong, nothers;
    char first[160]; /* the first wrong call */
};

/* 1: the last call ran this algorithm, which may have parameters. */
static int is_served_by(const char *algorithm, MPI_Comm comm)
{
    const size_t length = strcspn(algorithm, ":");
    const char *last = hitop_coll_last(comm);

    return strncmp(last, algorithm, length) == 0 && last[length] == '\0';
}

static void run(struct tally *tally, const struct check_call *call, MPI_Comm comm)
{
    const size_t wrong = check_call_run(call, comm);

    tally->ncalls++;
    if (wrong > 0 && tally->nwrong++ == 0) {
        check_call_describe(call, wrong, tally->first, sizeof(tally->first));
    }
    if (tally->algorithm && (call->elements > 0 || call->operation == HITOP_BARRIER)) {
        tally->nothers += !is_served_by(tally->algorithm, comm);
    }
}

/* Report the counts of an algorithm; its wrong calls are those of the rank that has the most. */
static void report(struct check_work *work, struct tally *tally, const char *label)
{
    struct {
        int nwrong, rank;
    } mine = {tally->nwrong, 0}, most;

    MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
    MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(tally->first, sizeof(tally->first), MPI_CHAR, most.rank, MPI_COMM_WORLD);
    work->ncalls += tally->ncalls;
    work->nwrong += most.nwrong;
    if (work->tool->quiet) {
        return;
    }
    printf("%-20s %-36s %5d calls, %d wrong", hitop_operations()[tally->id].name, label,
           tally->ncalls, most.nwrong);
    if (tally->nothers > 0) {
        printf(", %d for which it does not apply", tally->nothers);
    }
    printf("%s%s\n", most.nwrong > 0 ? "; first: " : "", most.nwrong > 0 ? tally->first : "");
    (void)fflush(stdout);
}

/* Run a call with all roots, or with one, which is another one each time. */
static void run_roots(const struct check_work *work, struct tally *tally, struct check_call *call)
{
    const struct hitop_operation *o = &hitop_operations()[call->operation];
    int size, first = tally->ncalls, count = 1;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!hitop_operation_has_root(o)) {
        first = 0;
    } else if (work->request->all_roots) {
        count = size;
    }
    for (int i = 0; i < count; i++) {
        call->root = (first + i) % size;
        run(tally, call, MPI_COMM_WORLD);
    }
}

static size_t elements_of(size_t bytes, const struct check_type *type)
{
    const size_t unit = type->elements->unit;

    return bytes == 0 ? 0 : bytes < unit ? 1 : bytes / unit;
}

static void run_lengths(const struct check_work *work, struct tally *tally, int type)
{
    struct check_call call = {
        .operation = tally->id, .type = &work->types[type], .functions = work->functions};
    const int nvariants = hitop_operations()[tally->id].flags & HITOP_UNEVEN ? 4 : 2;

    for (int l = 0; l < NLENGTHS; l++) {
        if (lengths[l] > work->request->max_bytes) {
            continue;
        }
        for (int variant = (l + type) % 2; variant < nvariants; variant += 2) {
            call.elements = elements_of(lengths[l], call.type);
            call.in_place = variant & 1 && call.operation != HITOP_BCAST;
            call.gaps = variant >> 1 & 1;
            run_roots(work, tally, &call);
        }
    }
}

static void run_types(const struct check_work *work, struct tally *tally)
{
    if (tally->id == HITOP_BARRIER) {
        const struct check_call call = {
            .operation = HITOP_BARRIER, .type = &work->types[0], .functions = work->functions};
        run(tally, &call, MPI_COMM_WORLD);
        return;
    }
    for (int t = 0; t < CHECK_NTYPES; t++) {
        if (check_is_listed(work->request->types, work->types[t].name)) {
            run_lengths(work, tally, t);
        }
    }
}

/* One algorithm, perhaps with parameters. */
static void check_algorithm(struct check_work *work, enum hitop_operation_id operation,
                            const char *algorithm)
{
    struct tally tally = {.id = operation, .algorithm = algorithm};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_coll_set(MPI_COMM_WORLD, hitop_operations()[operation].name, algorithm, &diag) !=
            HITOP_OK ||
        hitop_coll_set(MPI_COMM_WORLD, "choice", "now", &diag) != HITOP_OK) {
        tool_error(work->tool, "%s", diag.message);
        work->nwrong++;
        return;
    }
    run_types(work, &tally);
    if (strcmp(algorithm, "auto") == 0) {
        tally.nothers = 0;
    }
    report(work, &tally, algorithm);
}

/* The algorithm with segments or pieces of SEGMENT bytes, as text; 0: it has none. */
static int cut_algorithm(struct hitop_algorithm algorithm, char *out, size_t length)
{
    for (size_t p = 0; p < algorithm.type->nparams; p++) {
        if (strcmp(algorithm.type->params[p].unit, "B") == 0) {
            (void)snprintf(out, length, "%s:%s=%d", hitop_algorithm_name(algorithm),
                           algorithm.type->params[p].name, SEGMENT);
            return 1;
        }
    }
    return 0;
}

static void check_ways(struct check_work *work, enum hitop_operation_id id)
{
    const struct hitop_operation *o = &hitop_operations()[id];

    for (size_t i = 0; i < hitop_algorithm_count(o); i++) {
        const struct hitop_algorithm algorithm = hitop_algorithm_at(o, i);
        char name[64];
        (void)snprintf(name, sizeof(name), "%s", hitop_algorithm_name(algorithm));
        if (!check_is_listed(work->request->algorithms, name)) {
            continue;
        }
        check_algorithm(work, id, name);
        if (cut_algorithm(algorithm, name, sizeof(name))) {
            check_algorithm(work, id, name);
        }
    }
}

/* The function of the user's library for an operation. */
static void check_function(struct check_work *work, enum hitop_operation_id operation)
{
    struct tally tally = {.id = operation};
    char name[LIBRARY_NAME];

    library_function_name(work->library, operation, name);
    run_types(work, &tally);
    report(work, &tally, name);
}

/* An operation over the tree of a model of one of CPM's types. */
static void check_over_model(struct check_work *work, const struct check_named *o,
                             const char *label)
{
    const struct hitop_operation *operation = &hitop_operations()[o->operation];
    struct tally tally = {.id = o->operation, .algorithm = o->algorithm};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    struct hitop_cost cost;
    struct hitop_algorithm algorithm;
    char cut[64];
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (cpm_make_model(o->model, size, &model, &diag) != HITOP_OK) {
        tool_error(work->tool, "%s", diag.message);
        work->nwrong++;
        return;
    }
    cost = hitop_model_cost(model);
    if (hitop_algorithm_find(operation, o->algorithm, &algorithm, &diag) == HITOP_OK &&
        !algorithm.tree && cut_algorithm(algorithm, cut, sizeof(cut))) {
        tally.algorithm = cut; /* with pieces, as CPM splits messages */
    }
    if (hitop_coll_set_cost(MPI_COMM_WORLD, &cost, &diag) != HITOP_OK ||
        hitop_coll_set(MPI_COMM_WORLD, operation->name, tally.algorithm, &diag) != HITOP_OK) {
        tool_error(work->tool, "%s", diag.message);
        work->nwrong++;
    } else {
        run_lengths(work, &tally, 0);
        run_lengths(work, &tally, CHECK_NTYPES - 1);
        report(work, &tally, label);
    }
    hitop_model_free(model);
}

void check_cpm(struct check_work *work)
{
    for (int i = 0; i < HITOP_CPM_NOPERATIONS; i++) {
        const struct hitop_operation *operation;
        struct hitop_cpm_name name;
        char label[64];
        hitop_cpm_operation(i, label, sizeof(label), &name);
        if (hitop_operation_find(name.operation, &operation, NULL) == HITOP_OK &&
            work->operations & 1u << (operation - hitop_operations())) {
            const struct check_named o = {(enum hitop_operation_id)(operation - hitop_operations()),
                                          name.algorithm, name.model};
            check_over_model(work, &o, label);
        }
    }
}

/*
 * The operations that are named with an algorithm. Those over a model are the last ones, because
 * the communicator keeps the costs of the model.
 */
static void check_all_named(struct check_work *work)
{
    const struct check_request *r = work->request;

    for (int i = 0; i < r->nnamed; i++) {
        if (!r->named[i].model) {
            check_algorithm(work, r->named[i].operation, r->named[i].algorithm);
        }
    }
    for (int i = 0; i < r->nnamed; i++) {
        if (r->named[i].model) {
            check_over_model(work, &r->named[i], r->named[i].algorithm);
        }
    }
}

void check_all(struct check_work *work)
{
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        const enum hitop_operation_id id = (enum hitop_operation_id)i;
        if (!(work->operations & 1u << i)) {
            continue;
        }
        if (work->library) {
            check_function(work, id);
            continue;
        }
        check_ways(work, id);
        if (check_is_listed(work->request->algorithms, "auto")) {
            check_algorithm(work, id, "auto");
        }
    }
    check_all_named(work);
}
