/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_MPI_H
#define HITOP_RELAY_MPI_H

/*
 * relay_mpi.h - the segments of one message on their way through a node.
 *
 * A leader receives segments from its parent, forwards each to its children as soon as it is there, and puts it
 * into the node's shared memory when there is room; nothing of this waits for anything else, so that a slow
 * process on this node does not hold up other nodes.
 */

#include "comm_mpi.h"

/* All members are set by the caller, who keeps what they point to. */
struct hitop_relay {
    struct hitop_comm *c;
    int root;
    unsigned char *data;   /* the message at the root, room for it elsewhere */
    size_t total, segment; /* bytes, both > 0 */
    int parent;            /* rank to receive from, or MPI_PROC_NULL at the root */
    const int *children;   /* nodes */
    int nchildren;
};

/* Move all segments. MPI_SUCCESS or an MPI error code, after which messages may be lost. */
int hitop_relay_run(const struct hitop_relay *relay);

#endif /* HITOP_RELAY_MPI_H */
