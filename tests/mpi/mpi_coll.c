/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_coll.c - planned collectives as a program meets them: arguments, errors, communicators that
 * come and go. Their contents are check_collective's business. Prints only failures.
 */
#include <config.h>

#include "tests/mpi/mpi_coll.h"

#include "coll/runtime/facts_mpi.h"
#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"
#include "hitop/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 700 };

static int rank, size;

static int *numbers(int n, int salt)
{
    int *memory = malloc(((size_t)n + 1) * sizeof(*memory));

    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < n; i++) {
        memory[i] = 7 * i + salt;
    }
    return memory;
}

void travel(MPI_Comm comm, int root, int count)
{
    int me, n, *all, *own, *back, code;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    all = numbers(n * count, root);
    own = numbers(count, -1);
    back = numbers(n * count, -2);
    if (me == root) {
        code = hitop_scatter(all, count, MPI_INT, own, count, MPI_INT, root, comm);
    } else {
        code = hitop_scatter(NULL, -5, MPI_DATATYPE_NULL, own, count, MPI_INT, root, comm);
    }
    if (code != MPI_SUCCESS || memcmp(own, all + me * count, (size_t)count * sizeof(*own)) != 0) {
        complain("wrong contents of scatter", count);
    }
    if (me == root) {
        code = hitop_gather(own, count, MPI_INT, back, count, MPI_INT, root, comm);
        if (memcmp(back, all, (size_t)(n * count) * sizeof(*all)) != 0) {
            complain("wrong contents of gather", count);
        }
    } else {
        code = hitop_gather(own, count, MPI_INT, NULL, -5, MPI_DATATYPE_NULL, root, comm);
    }
    if (code != MPI_SUCCESS) {
        complain("gather failed", code);
    }
    code = hitop_reduce(own, me == root ? back : NULL, count, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < count && me == root; i++) {
        int sum = 0;
        for (int r = 0; r < n; r++) {
            sum += all[r * count + i];
        }
        if (back[i] != sum) {
            complain("wrong contents of reduce", i);
        }
    }
    free(all);
    free(own);
    free(back);
}

static void every_root(void)
{
    for (int root = 0; root < size; root++) {
        travel(MPI_COMM_WORLD, root, BLOCK);
        travel(MPI_COMM_WORLD, root, 1);
        travel(MPI_COMM_WORLD, root, 0);
    }
}

static void communicators_come_and_go(void)
{
    MPI_Comm comm, half;

    for (int k = 0; k < 30; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        travel(comm, k % size, k);
        MPI_Comm_split(comm, rank % 2, -rank, &half);
        travel(half, 0, k);
        MPI_Comm_free(&half);
        MPI_Comm_free(&comm);
    }
    travel(MPI_COMM_SELF, 0, 5);
}

/* A type that is not committed is an error on all ranks; no rank waits for others. */
static void types_are_committed(MPI_Comm comm)
{
    static int all[4 * 64], mine[4 * 64];
    MPI_Datatype spread;
    int class[3] = {MPI_SUCCESS};

    MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
    MPI_Error_class(hitop_gather(mine, 1, spread, all, 1, spread, 0, comm), &class[0]);
    MPI_Error_class(hitop_allgather(mine, 1, spread, all, 1, spread, comm), &class[1]);
    MPI_Error_class(hitop_alltoall(mine, 1, spread, all, 1, spread, comm), &class[2]);
    for (int i = 0; i < 3; i++) {
        if (class[i] != MPI_ERR_TYPE) {
            complain("a type that is not committed was not reported", i);
        }
    }
    MPI_Type_free(&spread);
}

/* What is wrong is for MPI to say. */
static void errors_are_the_librarys(void)
{
    MPI_Comm comm;
    int value = 0, all[64] = {0}, counts[64] = {0}, expected, code;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    travel(comm, 0, 3);
    code = hitop_reduce(&value, all, 1, MPI_INT, MPI_SUM, size, comm);
    MPI_Error_class(code, &expected);
    if (expected != MPI_ERR_ROOT) {
        complain("a wrong root was not reported", code);
    }
    code = hitop_gather(&value, -1, MPI_INT, all, 1, MPI_INT, 0, comm);
    MPI_Error_class(code, &expected);
    if (rank != 0 && expected != MPI_ERR_COUNT) {
        complain("a negative count was not reported", code);
    }
    code = hitop_allreduce(&value, all, 1, MPI_DOUBLE, MPI_BAND, comm);
    MPI_Error_class(code, &expected);
    if (expected != MPI_ERR_OP) {
        complain("an operation for which MPI has no meaning was not reported", code);
    }
    types_are_committed(comm);
#if !HITOP_MPI_REPORTS_MISSING_BUFFERS
    code = hitop_allgatherv(&value, 0, MPI_INT, all, counts, NULL, MPI_INT, comm);
    if (code == MPI_SUCCESS) {
        complain("places that are missing were not reported", code);
    }
#else
    (void)counts;
    code = hitop_allreduce(NULL, all, 1, MPI_INT, MPI_SUM, comm);
    if (code == MPI_SUCCESS) {
        complain("memory that is missing was not reported", code);
    }
#endif
    if (strcmp(hitop_coll_last(comm), "") != 0) {
        complain("a call that went to MPI had an algorithm", 0);
    }
    travel(comm, size - 1, 3);
    MPI_Comm_free(&comm);
}

/* What served the last call is said whatever it was: a plan, the memory of the node, or MPI. */
static void last_call_is_named(void)
{
    int value = 1, sum = 0;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 6; i++) { /* the first calls on a communicator go by plans */
        hitop_allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (strcmp(hitop_coll_last(comm), "twolevel") == 0 && (i == 0 || size == 1)) {
            complain("a call was not in two levels, but is said to be", i);
        }
    }
    if (size > 1 && strcmp(hitop_coll_last(comm), "twolevel") != 0) {
        complain("the memory of the node is not said to serve a reduction", 0);
    }
    hitop_scan(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (strcmp(hitop_coll_last(comm), "twolevel") == 0) {
        complain("a plan is said to be two levels", 0);
    }
    hitop_bcast(&value, 1, MPI_INT, 0, comm);
    if (size > 1 && strcmp(hitop_coll_last(comm), "twolevel") != 0) {
        complain("the memory of the node is not said to serve a broadcast", 0);
    }
    hitop_bcast(&value, 0, MPI_INT, 0, comm);
    if (strcmp(hitop_coll_last(comm), "") != 0) {
        complain("an empty broadcast is not said to be MPI's", 0);
    }
    if (hitop_coll_set(comm, "allreduce", "ring", NULL) != HITOP_OK) {
        complain("ring was refused", 0);
    }
    hitop_bcast(&value, 1, MPI_INT, 0, comm);
    hitop_allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (strcmp(hitop_coll_last(comm), "twolevel") == 0) {
        complain("a plan that the program names is said to be two levels", 0);
    }
    MPI_Comm_free(&comm);
}

/* A receiver with too little room says so, the others are served, and so is the next call. */
static void truncation_is_reported(void)
{
    int all[64] = {0}, own[2] = {0}, expected = MPI_SUCCESS, code;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (hitop_coll_set(comm, "scatterv", "flat", NULL) != HITOP_OK) {
        complain("flat was refused", 0);
    }
    for (int i = 0; i < size && size > 1; i++) {
        const int two[] = {2, 2, 2, 2, 2, 2, 2, 2}, at[] = {0, 2, 4, 6, 8, 10, 12, 14};
        code = hitop_scatterv(all, two, at, MPI_INT, own, rank == i ? 1 : 2, MPI_INT, 0, comm);
        MPI_Error_class(code, &expected);
        if (expected != (rank == i ? MPI_ERR_TRUNCATE : MPI_SUCCESS)) {
            complain("truncation", code);
        }
    }
    travel(comm, 0, 3);
    MPI_Comm_free(&comm);
}

static void add_first(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++) {
        ((int *)inout)[2 * i] += ((const int *)in)[2 * i];
    }
}

/* Elements with gaps are copied by messages, which are not those that the program waits for. */
static void messages_to_oneself_are_the_programs(void)
{
    const int expected = size * (size - 1) / 2;
    int in[4] = {rank, -1, rank, -1}, out[4] = {0}, message[4] = {0}, done = 0;
    MPI_Datatype first, spaced;
    MPI_Request request;
    MPI_Op op;

    MPI_Type_vector(1, 1, 2, MPI_INT, &first);
    MPI_Type_create_resized(first, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Op_create(add_first, 1, &op);
    MPI_Irecv(message, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
    if (hitop_allreduce(in, out, 2, spaced, op, MPI_COMM_WORLD) != MPI_SUCCESS ||
        out[0] != expected || out[2] != expected) {
        complain("wrong contents of elements with gaps", out[0]);
    }
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) {
        complain("a message to oneself was ours", message[0]);
    } else {
        MPI_Send(in, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&spaced);
    MPI_Type_free(&first);
}

/* What is between groups is MPI's. */
static void groups_are_left_to_mpi(void)
{
    MPI_Comm half, inter;
    int value, sum = 0;
    const int upper = rank >= size / 2;

    if (size < 2) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 9, &inter);
    value = 1;
    hitop_allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
    if (sum != (upper ? size / 2 : size - size / 2)) {
        complain("wrong contents on an intercommunicator", sum);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/*
 * With the sizes M1 = 5120 and M2 = 65536 of the model, eight ranks gather 16 KiB in
 * pieces; by its times alone, another algorithm is faster.
 */
static void models_split_gathers(void)
{
    const char *dir = getenv("srcdir");
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_cost cost;
    char path[1024], *in = calloc(1, 16384), *out = calloc((size_t)size, 16384);

    (void)snprintf(path, sizeof(path), "%s/../testdata/models/two-sites/lmo.json", dir ? dir : ".");
    if (!in || !out || hitop_model_read(path, &model, &diag) != HITOP_OK) {
        give_up(diag.message);
    }
    cost = hitop_model_cost(model);
    for (int with_sizes = 1; size == 8 && with_sizes >= 0; with_sizes--) {
        MPI_Comm comm;
        int split;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (with_sizes) {
            check("a model", hitop_coll_set_model(comm, rank == 0 ? model : NULL, &diag));
        } else {
            check("costs", hitop_coll_set_cost(comm, rank == 0 ? &cost : NULL, &diag));
        }
        check("auto", hitop_coll_set(comm, "gather", "auto", &diag));
        check("gather", hitop_gather(in, 16384, MPI_BYTE, out, 16384, MPI_BYTE, 0, comm));
        split = strcmp(hitop_coll_last(comm), "split") == 0;
        if (split != with_sizes) {
            complain("gather by another algorithm, with sizes", with_sizes);
        }
        MPI_Comm_free(&comm);
    }
    hitop_model_free(model);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    int level, at_first;

    MPI_Init(&argc, &argv);
    MPI_Query_thread(&at_first);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    every_root();
    communicators_come_and_go();
    names_and_rules_decide(rank, size);
    last_call_is_named();
    models_split_gathers();
    groups_are_left_to_mpi();
    errors_are_the_librarys();
    truncation_is_reported();
    messages_to_oneself_are_the_programs();
    MPI_Query_thread(&level);
    if (level != at_first) {
        complain("another level of threads", level);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
