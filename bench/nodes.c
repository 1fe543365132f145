/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - see nodes.h. */
#include <config.h>

#include "bench/nodes.h"

/* The first rank of this rank's node. */
static int find_first(MPI_Comm comm, int per_node)
{
    MPI_Comm host, node;
    int place, first;

    PMPI_Comm_rank(comm, &first);
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_rank(host, &place);
    PMPI_Comm_split(host, per_node > 0 ? place / per_node : 0, place, &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    PMPI_Comm_free(&host);
    return first;
}

int nodes_find(MPI_Comm comm, int per_node, int *node_of, int *first_of)
{
    int first = find_first(comm, per_node), size, nodes = 0;

    PMPI_Comm_size(comm, &size);
    PMPI_Allgather(&first, 1, MPI_INT, node_of, 1, MPI_INT, comm);
    for (int r = 0; r < size; r++) {
        if (node_of[r] == r) { /* the first rank of its node */
            first_of[nodes] = r;
            node_of[r] = nodes++;
        } else {
            node_of[r] = node_of[node_of[r]];
        }
    }
    return nodes;
}
