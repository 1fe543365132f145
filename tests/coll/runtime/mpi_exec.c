/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_exec.c - broadcasts run over MPI; every rank checks every byte. Prints only failures. */
#include <config.h>

#include "coll/runtime/exec_mpi.h"
#include "hitop/coll.h"

#include "tests/support/costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 100003, TAG = 2385 };

static int rank, size, failures;
static unsigned char *buffer;
static struct exec_memory memory[HITOP_NBUFFERS];

static void report(const char *what, const struct hitop_diag *diag)
{
    fprintf(stderr, "mpi_exec: rank %d of %d: %s: %s\n", rank, size, what, diag->message);
    failures++;
}

static unsigned char pattern(int root, size_t i)
{
    return (unsigned char)((size_t)root * 29 + i * 101 + i / 251);
}

static void broadcast(MPI_Comm comm, const char *name, int root, size_t bytes, double segment,
                      size_t piece)
{
    const struct hitop_cost cost = random_cost(size);
    const struct hitop_tree_args tree_args = {
        .size = size, .root = root, .bytes = bytes, .cost = &cost};
    const struct exec_mpi exec = {.comm = comm, .tag = TAG, .piece = piece, .op = MPI_OP_NULL};
    struct hitop_coll_args args = {.rank = rank, .size = size, .root = root, .bytes = bytes};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;
    struct hitop_sched *sched = NULL;
    size_t wrong = 0;

    for (size_t i = 0; i < BYTES; i++) {
        buffer[i] = (unsigned char)(pattern(root, i) ^ (rank == root ? 0 : 0x5a));
    }
    if (hitop_tree_build(name, &tree_args, NULL, &tree, &diag) != HITOP_OK) {
        report(name, &diag);
        return;
    }
    args.tree = tree;
    args.params = &segment;
    if (hitop_coll_plan("bcast_tree", &args, &sched, &diag) != HITOP_OK ||
        hitop_exec_mpi_run(&exec, sched, memory, &diag) != HITOP_OK) {
        report(name, &diag);
    }
    for (size_t i = 0; i < BYTES; i++) {
        wrong += (buffer[i] == pattern(root, i)) != (rank == root || i < bytes);
    }
    if (wrong > 0) {
        (void)hitop_fail(&diag, HITOP_OK, "root %d, %zu bytes, segment %g, piece %zu: %zu wrong",
                         root, bytes, segment, piece, wrong);
        report(name, &diag);
    }
    hitop_sched_free(sched);
    hitop_tree_free(tree);
}

/* Steps that no fence ends would never be run. */
static void check_missing_fence(MPI_Comm comm)
{
    const struct exec_mpi exec = {.comm = comm, .tag = TAG, .op = MPI_OP_NULL};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched = hitop_sched_new();

    hitop_sched_send(sched, 0, hitop_span_recv(0, 1));
    if (hitop_exec_mpi_run(&exec, sched, memory, &diag) != HITOP_ERR_INVALID) {
        report("a missing fence was not reported", &diag);
    }
    hitop_sched_free(sched);
}

/* A failing MPI call becomes a status whose message names the peer. */
static void check_error(MPI_Comm comm)
{
    const struct exec_mpi exec = {.comm = comm, .tag = TAG, .op = MPI_OP_NULL};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched = hitop_sched_new();

    hitop_sched_recv(sched, (rank + 1) % size, hitop_span_recv(0, 1));
    hitop_sched_send(sched, size, hitop_span_recv(0, 17));
    hitop_sched_fence(sched);
    if (hitop_exec_mpi_run(&exec, sched, memory, &diag) != HITOP_ERR_MPI ||
        !strstr(diag.message, "MPI_Send") || !strstr(diag.message, "17 bytes")) {
        report("an unknown peer was not reported", &diag);
    }
    hitop_sched_free(sched);
}

/* Replay covers all trees; here a deep one, a wide one, and two between are enough. */
static const char *const trees[] = {"chain", "flat", "binomial", "ecef"};

/* A message longer than its receive is reported by the receiver, with the step it belongs to. */
static void check_truncation(MPI_Comm comm)
{
    const struct exec_mpi exec = {.comm = comm, .tag = TAG, .piece = 4, .op = MPI_OP_NULL};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched = hitop_sched_new();

    if (rank == 0) {
        hitop_sched_send(sched, 1, hitop_span_recv(0, 8));
        hitop_sched_send(sched, 1, hitop_span_recv(0, 4));
    } else {
        hitop_sched_recv(sched, 0, hitop_span_recv(0, 8));
        hitop_sched_recv(sched, 0, hitop_span_recv(8, 3));
    }
    hitop_sched_fence(sched);
    if (rank < 2) {
        const enum hitop_status status = hitop_exec_mpi_run(&exec, sched, memory, &diag);
        if (rank == 1 && (status != HITOP_ERR_MPI || !strstr(diag.message, "MPI_Wait") ||
                          !strstr(diag.message, "3 bytes"))) {
            report("a truncated message was not reported", &diag);
        }
    }
    hitop_sched_free(sched);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, doomed;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    buffer = malloc(BYTES);
    if (!buffer) {
        MPI_Abort(comm, 1);
    }
    memory[HITOP_BUFFER_RECV] = exec_bytes(buffer);
    for (size_t t = 0; t < sizeof(trees) / sizeof(trees[0]); t++) {
        for (int root = 0; root < size; root++) {
            const char *name = trees[t];
            broadcast(comm, name, root, BYTES, 0, 0);
            broadcast(comm, name, root, BYTES, 8192, 0);
            broadcast(comm, name, root, 20011, 8192, 1000); /* messages longer than one MPI call */
            broadcast(comm, name, root, 1, 0, 0);
            broadcast(comm, name, root, 0, 0, 0);
        }
    }
    MPI_Comm_dup(comm, &doomed);
    MPI_Comm_set_errhandler(doomed, MPI_ERRORS_RETURN);
    /* MPICH reports a failed MPI_Wait to the handler of the world */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check_missing_fence(comm);
    check_error(doomed);
    if (size > 1) {
        MPI_Barrier(comm); /* a message that comes early would go where check_error() expects one */
        check_truncation(doomed);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&doomed);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    free(buffer);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
