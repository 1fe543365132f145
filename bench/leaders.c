/* SPDX-License-Identifier: BSD-3-Clause */
/* leaders.c - see leaders.h. */
#include <config.h>

#include "bench/leaders.h"

static struct {
    MPI_Comm node;
    int nodes;
    const int *node_of, *first_of;
} known = {.node = MPI_COMM_NULL};

void leaders_open(MPI_Comm comm, int nodes, const int *node_of, const int *first_of)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    known.nodes = nodes;
    known.node_of = node_of;
    known.first_of = first_of;
    MPI_Comm_split(comm, node_of[rank], rank, &known.node);
}

void leaders_close(void)
{
    if (known.node != MPI_COMM_NULL) {
        MPI_Comm_free(&known.node);
    }
}

/* Rank in the communicator of its node. */
static int place_of(int rank)
{
    int place = 0;

    for (int r = 0; r < rank; r++) {
        place += known.node_of[r] == known.node_of[rank];
    }
    return place;
}

static int bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const int home = known.node_of[root];
    int rank, node, leader, code = MPI_SUCCESS;

    PMPI_Comm_rank(comm, &rank);
    node = known.node_of[rank];
    leader = node == home ? root : known.first_of[node];
    if (rank == root) {
        for (int n = 0; n < known.nodes && code == MPI_SUCCESS; n++) {
            if (n != home) {
                code = PMPI_Send(buffer, count, type, known.first_of[n], 0, comm);
            }
        }
    } else if (rank == leader) {
        code = PMPI_Recv(buffer, count, type, root, 0, comm, MPI_STATUS_IGNORE);
    }
    return code == MPI_SUCCESS ? MPI_Bcast(buffer, count, type, place_of(leader), known.node)
                               : code;
}

const struct coll_functions *leaders_functions(void)
{
    static struct coll_functions functions;

    functions = coll_functions_plain;
    functions.bcast = bcast;
    return &functions;
}
