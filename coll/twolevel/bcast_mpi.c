/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_mpi.c - broadcast in two levels with fixed leaders.
 *
 * Idea:   the root and the first rank of every other node pass the message down a tree of nodes, in
 *         segments; each of them puts the segments into its node's shared memory as they arrive, where the
 *         other ranks copy them out. So a slow link is crossed once per node at most, whatever the placement
 *         of the ranks, and copying on a node overlaps with the network.
 * Cost:   that of the tree between nodes (hitop/predict.h), plus one copy on the last node.
 * Needs:  a prepared communicator (comm_mpi.h).
 * Source: the P ("pipelined") broadcasts of Liu, Song et al., Journal of Software 22 (2011), on MPIActor;
 *         van de Geijn's segmentation.
 *
 * On the wire: a header that carries the root's choices and a first piece of the message, then the
 * segments, if the piece was not all. Only the root decides; leaders do what the header says.
 */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include "../runtime/leave_mpi.h"
#include "../runtime/plans_mpi.h"
#include "../runtime/types_mpi.h"
#include "comm_mpi.h"
#include "relay_mpi.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that travel with the header; with it below any eager limit. */
enum { PIECE = 3968 };

struct header {
    uint64_t total;   /* bytes of the message */
    uint64_t segment; /* bytes of a segment */
    uint64_t algorithm;
    unsigned char piece[PIECE]; /* the whole message when total <= PIECE */
};

_Static_assert(sizeof(struct header) == 3 * sizeof(uint64_t) + PIECE,
               "no padding goes over the wire");

static int send_headers(const struct hitop_comm *c, const struct header *h, const int *children,
                        int nchildren, int root)
{
    const size_t piece = h->total <= PIECE ? (size_t)h->total : 0;
    int code = MPI_SUCCESS;

    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        code = PMPI_Send(h, (int)(offsetof(struct header, piece) + piece), MPI_BYTE,
                         hitop_comm_leader(c, children[i], root),
                         hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire);
    }
    return code;
}

/* The header of this operation; its sender is the parent. */
static int receive_header(struct hitop_comm *c, struct header *h, int *parent)
{
    MPI_Request request;
    MPI_Status status;
    unsigned round = 0;
    int flag = 0;
    int code = PMPI_Irecv(h, sizeof(*h), MPI_BYTE, MPI_ANY_SOURCE,
                          hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire, &request);

    while (code == MPI_SUCCESS && !flag) {
        code = PMPI_Test(&request, &flag, &status);
        if (!flag) {
            hitop_wait_relax(&c->wait, &round);
        }
    }
    if (code == MPI_SUCCESS) {
        *parent = status.MPI_SOURCE;
    }
    return code;
}

/* This rank handles the node's messages: `data` is the message at the root, and room for `bytes` of it
 * elsewhere. *total receives the length that the root sent. */
static int lead(struct hitop_comm *c, unsigned char *data, size_t bytes, int root, size_t *total)
{
    struct header h;
    struct hitop_relay r = {.c = c, .root = root, .data = data, .parent = MPI_PROC_NULL};
    const struct hitop_tree *tree;
    unsigned char *bounce = NULL;
    int code = MPI_SUCCESS;

    if (c->rank == root) {
        const struct hitop_route_choice choice =
            hitop_route_choose(c->route, c->node_of[root], bytes);
        h.total = bytes;
        h.segment = choice.segment;
        h.algorithm = choice.algorithm;
        memcpy(h.piece, data, bytes <= PIECE ? bytes : 0);
    } else {
        code = receive_header(c, &h, &r.parent);
        if (code != MPI_SUCCESS) {
            return code;
        }
    }
    *total = (size_t)h.total;
    r.total = (size_t)h.total;
    r.segment = (size_t)h.segment;
    tree = hitop_route_tree(c->route, (unsigned)h.algorithm, c->node_of[root], r.total);
    if (!tree) {
        hitop_trouble_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    r.children = hitop_tree_children(tree, c->node, &r.nchildren);
    code = send_headers(c, &h, r.children, r.nchildren, root);
    if (code != MPI_SUCCESS) {
        return code;
    }
    if (r.total <= PIECE) {
        if (c->nlocal > 1) {
            hitop_node_put(&c->shared, h.piece, r.total, 0);
        }
        if (c->rank != root) {
            memcpy(data, h.piece, r.total < bytes ? r.total : bytes);
        }
        return MPI_SUCCESS;
    }
    if (r.total > bytes) { /* lengths disagree: the others of this node shall have theirs */
        bounce = malloc(r.total);
        if (!bounce) {
            hitop_trouble_abort(c->wire, "out of memory");
            return MPI_ERR_NO_MEM;
        }
        r.data = bounce;
    }
    code = hitop_relay_run(&r);
    if (bounce) {
        memcpy(data, bounce, bytes);
    }
    free(bounce);
    return code;
}

static _Atomic unsigned long long served;

unsigned long long hitop_bcast_served(void)
{
    return atomic_load_explicit(&served, memory_order_relaxed);
}

/* Broadcast of plain bytes. */
static int bcast_bytes(struct hitop_comm *c, unsigned char *data, size_t bytes, int root)
{
    size_t total = bytes;
    int code = MPI_SUCCESS, note;

    c->seq++;
    hitop_node_begin(&c->shared);
    /* no read-modify-write: a lost count matters less than 5 ns of every call */
    atomic_store_explicit(&served, atomic_load_explicit(&served, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    if (c->nnodes > 1 && c->rank == hitop_comm_leader(c, c->node, root)) {
        code = lead(c, data, bytes, root, &total);
    } else if (c->rank == root) {
        hitop_node_put(&c->shared, data, bytes, 0);
    } else {
        total = hitop_node_read(&c->shared, data, bytes, &note);
    }
    if (code != MPI_SUCCESS) {
        c->mode = HITOP_COMM_BROKEN; /* messages may be lost: never again on this communicator */
        return code;
    }
    return total == bytes ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

/* Broadcast of a datatype that is not plain bytes, through a packed copy. */
static int bcast_packed(struct hitop_comm *c, void *buffer, MPI_Count count, MPI_Datatype type,
                        size_t bytes, int root)
{
    unsigned char *packed = malloc(bytes);
    int code = MPI_SUCCESS;

    if (!packed) {
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    if (c->rank == root) {
        code = hitop_type_pack(buffer, count, type, packed, c->wire);
        if (code != MPI_SUCCESS) { /* the others wait for a message that will not come */
            c->mode = HITOP_COMM_BROKEN;
        }
    }
    if (code == MPI_SUCCESS) {
        code = bcast_bytes(c, packed, bytes, root);
    }
    if (code == MPI_SUCCESS && c->rank != root) {
        code = hitop_type_unpack(packed, buffer, count, type, c->wire);
    }
    free(packed);
    return code;
}

static int leave_to_mpi(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
#if MPI_VERSION >= 4
    if (count > INT_MAX) {
        return leave.bcast_c(buffer, count, type, root, comm);
    }
#endif
    return leave.bcast(buffer, (int)count, type, root, comm);
}

/* By a plan where somebody asks for one. */
static int other_bcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return count <= INT_MAX && plans_serve(comm, HITOP_BCAST)
               ? call_bcast(buffer, (int)count, type, root, comm)
               : leave_to_mpi(buffer, count, type, root, comm);
}

static int bcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct hitop_comm *c;
    size_t bytes;
    int code;

    if (comm == MPI_COMM_NULL || type == MPI_DATATYPE_NULL || count <= 0 ||
        plans_serve(comm, HITOP_BCAST)) {
        return other_bcast(buffer, count, type, root, comm);
    }
    c = hitop_comm_state(comm);
    if (!c || c->mode == HITOP_COMM_PASS || root < 0 || root >= c->size ||
        (bytes = (size_t)count * hitop_type_size(type)) == 0 || !hitop_comm_enter(c, comm)) {
        return other_bcast(buffer, count, type, root, comm);
    }
    if (c->mode == HITOP_COMM_BROKEN) {
        code = MPI_ERR_OTHER;
    } else if (hitop_type_is_contiguous(type)) {
        code = bcast_bytes(c, buffer, bytes, root);
    } else {
        code = bcast_packed(c, buffer, count, type, bytes, root);
    }
    if (code != MPI_SUCCESS) {
        (void)PMPI_Comm_call_errhandler(comm, code);
    }
    return code;
}

int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return bcast(buffer, count, type, root, comm);
}

#if MPI_VERSION >= 4
int hitop_bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return bcast(buffer, count, type, root, comm);
}
#endif
