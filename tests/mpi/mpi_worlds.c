/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_worlds.c - communicators that do not come from the MPI_COMM_WORLD of their ranks.
 *
 * mpi_worlds spawn: ranks have children and merge with them; only the parents have libhitop_coll.so
 * preloaded. mpi_worlds ORDER: ranks open sessions and MPI_COMM_WORLD and close them in this order,
 * as with AIFa: open session A, MPI_Init, MPI_Finalize, close session A; after each step there are
 * collectives in all that is open. Exit status 1 when a collective is wrong, 77 without sessions; a
 * rank that waits for what others do not know of hangs.
 */
#include "coll/runtime/facts_mpi.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN = 2, ROUNDS = 6 };

/* Returns how many collectives were wrong. */
static int communicate(MPI_Comm comm)
{
    int rank, size, wrong = 0;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int k = 0; k < ROUNDS; k++) {
        int value = rank == k % size ? 10 + k : -1, sum = -1;

        MPI_Bcast(&value, 1, MPI_INT, k % size, comm);
        wrong += value != 10 + k;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        wrong += sum != size * (size - 1) / 2;
        MPI_Barrier(comm);
    }
    return wrong;
}

/* All of them, all in another order, and only those of one MPI_COMM_WORLD. */
static int with_children(char *program)
{
    char mode[] = "spawn", *arguments[] = {mode, NULL};
    MPI_Comm parents, between, all, part;
    int is_child, rank, wrong;

    MPI_Comm_get_parent(&parents);
    is_child = parents != MPI_COMM_NULL;
    if (is_child) {
        between = parents;
    } else {
        MPI_Comm_spawn(program, arguments, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    }
    wrong = communicate(MPI_COMM_WORLD);
    MPI_Intercomm_merge(between, is_child, &all);
    wrong += communicate(all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split(all, 0, -rank, &part);
    wrong += communicate(part);
    MPI_Comm_free(&part);
    MPI_Comm_split(all, is_child, rank, &part);
    wrong += communicate(part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    return wrong;
}

#if HITOP_MPI_SESSIONS
struct opened {
    MPI_Session session;
    MPI_Comm comm;
};

static void open_session(struct opened *o, char name)
{
    const char tag[] = {name, '\0'};
    MPI_Group group;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &o->session);
    MPI_Group_from_session_pset(o->session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &o->comm);
    MPI_Group_free(&group);
}

static void close_session(struct opened *o)
{
    MPI_Comm_free(&o->comm);
    MPI_Session_finalize(&o->session);
}

static int in_order(const char *order)
{
    struct opened opened[2];
    int is_open[2] = {0, 0}, has_world = 0, wrong = 0;

    for (; *order; order++) {
        const int k = *order == 'B' || *order == 'b';

        if (*order == 'I') {
            MPI_Init(NULL, NULL);
            has_world = 1;
        } else if (*order == 'F') {
            MPI_Finalize();
            has_world = 0;
        } else if (*order == 'A' || *order == 'B') {
            open_session(&opened[k], *order);
            is_open[k] = 1;
        } else {
            close_session(&opened[k]);
            is_open[k] = 0;
        }
        wrong += has_world ? communicate(MPI_COMM_WORLD) : 0;
        for (int i = 0; i < 2; i++) {
            wrong += is_open[i] ? communicate(opened[i].comm) : 0;
        }
    }
    return wrong;
}
#else
static int in_order(const char *order)
{
    (void)order;
    exit(77);
}
#endif

int main(int argc, char **argv)
{
    int wrong;

    if (argc == 2 && strcmp(argv[1], "spawn") != 0) {
        wrong = in_order(argv[1]);
    } else {
        MPI_Init(&argc, &argv);
        wrong = with_children(argv[0]);
        MPI_Finalize();
    }
    if (wrong) {
        fprintf(stderr, "%d collectives were wrong\n", wrong);
    }
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
