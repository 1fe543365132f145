/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_worlds.c - communicators that do not come from the MPI_COMM_WORLD of their ranks.
 *
 * mpi_worlds spawn: ranks have children and merge with them; only the parents have libhitop_coll.so
 * preloaded. mpi_worlds session: ranks never call MPI_Init. Exit status 1 when a collective is
 * wrong; a rank that waits for what others do not know of hangs.
 */
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

static int in_session(void)
{
    int wrong = 0;
/* Open MPI 5 reports version 3.1 and has sessions */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "worlds", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    wrong = communicate(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
#endif
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong;

    if (argc == 2 && strcmp(argv[1], "session") == 0) {
        wrong = in_session();
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
