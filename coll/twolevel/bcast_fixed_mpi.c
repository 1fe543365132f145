/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_fixed_mpi.c - a broadcast over several nodes with fixed leaders.
 *
 * Idea:   the root and the first rank of every other node pass the message down a tree of nodes, in
 *         segments; each of them puts the segments into its node's shared memory as they arrive, where the
 *         other ranks copy them out. So a slow link is crossed once per node at most, whatever the placement
 *         of the ranks, and copying on a node overlaps with the network.
 * Cost:   that of the tree between nodes (hitop/predict.h), plus one copy on the last node.
 * Source: the P ("pipelined") broadcasts of Liu, Song et al., Journal of Software 22 (2011), on MPIActor;
 *         van de Geijn's segmentation.
 */
#include <config.h>

#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/watchdog_mpi.h"

int bcast_fixed(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct header h;
    int from = MPI_PROC_NULL, code = MPI_SUCCESS;

    if (c->rank != hitop_comm_leader(c, c->node, b->root)) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
        return MPI_SUCCESS;
    }
    if (c->rank == b->root) {
        bcast_write_header(b, &h); /* it obeys itself */
        (void)header_fill(&h, NULL, 0, b->data);
    } else {
        watchdog_awaits(c, bcast_tell_no_header, b);
        code = header_await(c, &h, &from);
    }
    return code == MPI_SUCCESS ? bcast_obey(b, &h, from) : code;
}
