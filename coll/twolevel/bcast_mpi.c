/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_mpi.c - MPI_Bcast in two levels: its fast path, and its datatypes. */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/signatures_mpi.h"
#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/bcast_internode.h"
#include "coll/twolevel/serve_mpi.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic unsigned long long served;

unsigned long long hitop_bcast_served(void)
{
    return atomic_load_explicit(&served, memory_order_relaxed);
}

/* A broadcast over nodes; *total becomes the length of the root's message. */
static int bcast_over_nodes(struct hitop_comm *c, unsigned char *data, size_t bytes, int root,
                            size_t *total)
{
    struct bcast b = {.c = c, .data = data, .bytes = bytes, .root = root, .total = bytes};
    const int code = hitop_bcast_internode(&b);

    if (code != MPI_SUCCESS) {
        c->mode = HITOP_COMM_BROKEN; /* messages may be lost: all later calls on it fail */
    }
    *total = b.total;
    return code;
}

/* Broadcast of plain bytes. */
static int bcast_bytes(struct hitop_comm *c, unsigned char *data, size_t bytes, int root)
{
    size_t total = bytes;
    int code = MPI_SUCCESS, note;

    hitop_node_begin(&c->shared);
    /* no read-modify-write: a lost count matters less than 5 ns of every call */
    atomic_store_explicit(&served, atomic_load_explicit(&served, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    if (c->nnodes > 1) {
        code = bcast_over_nodes(c, data, bytes, root, &total);
    } else if (c->rank == root) {
        hitop_node_post(&c->shared, data, bytes, 0);
    } else {
        total = hitop_node_read(&c->shared, data, bytes, &note);
    }
    return code == MPI_SUCCESS && total != bytes ? MPI_ERR_TRUNCATE : code;
}

/* Broadcast of a datatype that is not plain bytes, through a packed copy. */
static int bcast_packed(struct hitop_comm *c, void *buffer, MPI_Count count, MPI_Datatype type,
                        size_t bytes, int root)
{
    unsigned char *packed = hitop_comm_memory(c, bytes);
    int code = MPI_SUCCESS;

    if (c->rank == root) {
        code = hitop_type_pack(buffer, count, type, packed, c->wire);
        if (code != MPI_SUCCESS) { /* the other ranks wait for a message that will not come */
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

static int bcast_any(struct hitop_comm *c, void *buffer, MPI_Count count, MPI_Datatype type,
                     int root)
{
    const size_t bytes = (size_t)count * hitop_type_size(type);

    return hitop_type_is_contiguous(type) ? bcast_bytes(c, buffer, bytes, root)
                                          : bcast_packed(c, buffer, count, type, bytes, root);
}

/* A message without bytes is left to MPI. */
static int can(const struct hitop_comm *c, const struct call *call)
{
    (void)c;
    return call->recv.count > 0 && hitop_type_size(call->recv.type) > 0;
}

static int run(struct hitop_comm *c, const struct call *call, const struct serve *serve)
{
    (void)serve;
    return bcast_any(c, call->recv.buffer, call->recv.count, call->recv.type, call->root);
}

static const struct serve serve_bcast = {.can = can, .run = run};

/*
 * The state of `comm` on the fast path, else NULL: this thread used it last, it is ready, its calls
 * are not compared with MPI's, and no operation of any communicator has a plan.
 */
static inline struct hitop_comm *fast_state(MPI_Comm comm)
{
    const struct attribute_last *last = &hitop_attribute_last[ATTRIBUTE_TWOLEVEL];
    struct hitop_comm *c;

    if (last->comm != comm ||
        last->freed != atomic_load_explicit(&hitop_attribute_freed, memory_order_relaxed) ||
        atomic_load_explicit(&hitop_plans_planned, memory_order_relaxed) > 0) {
        return NULL;
    }
    c = (struct hitop_comm *)last->state;
    return c && c->mode == HITOP_COMM_READY && c->compare.most == 0 ? c : NULL;
}

/* Before and after a broadcast that is not dispatched. */
static inline void begin(struct hitop_comm *c, size_t bytes, int root)
{
    serve_begin(c, HITOP_BCAST);
    c->watchdog.now.call = NULL;
    c->watchdog.now.print = NULL;
    c->watchdog.now.root = root;
    c->watchdog.now.bytes = bytes;
    if (c->nnodes > 1) {
        watchdog_enter(c, HITOP_BCAST, root, 0);
    }
}

static inline int end(struct hitop_comm *c, MPI_Comm comm, int code)
{
    if (c->nnodes > 1) {
        watchdog_exit(c);
    }
    if (code != MPI_SUCCESS) {
        (void)PMPI_Comm_call_errhandler(comm, code);
    }
    return code;
}

/* The call for the dispatcher. */
static inline struct call call_of(void *buffer, int count, MPI_Datatype type, int root,
                                  MPI_Comm comm)
{
    const struct call_side message = even(buffer, count, type);

    return (struct call){HITOP_BCAST, message, message, MPI_OP_NULL, root, comm};
}

/* Any call: its arguments may be wrong, its communicator may be new or left to MPI. */
RARELY static int dispatch(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct call call = call_of(buffer, count, type, root, comm);

    return hitop_dispatch_by(&call, &serve_bcast, DISPATCH_MPI);
}

int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct hitop_comm *c = fast_state(comm);
    size_t bytes;

    if (!c || type != hitop_type_last.type || !buffer || buffer == MPI_IN_PLACE || count <= 0 ||
        root < 0 || root >= c->size) {
        return dispatch(buffer, count, type, root, comm);
    }
    bytes = (size_t)count * hitop_type_last.size;
    begin(c, bytes, root);
    return end(c, comm, bcast_bytes(c, buffer, bytes, root));
}

#if HITOP_MPI_LARGE_COUNTS
/* A count beyond INT_MAX: the call has one element of a larger type. */
struct large_call {
    struct call call; /* first, so that a pointer to it points to all */
    MPI_Count count;
    MPI_Datatype type;
};

static int run_large(struct hitop_comm *c, const struct call *call, const struct serve *serve)
{
    const struct large_call *large = (const struct large_call *)(const void *)call;

    (void)serve;
    return bcast_any(c, call->recv.buffer, large->count, large->type, call->root);
}

static const struct serve serve_large = {.can = can, .run = run_large};

/*
 * Other ranks may describe the message by fewer elements of a larger type, so the dispatcher must
 * treat both alike: count the calls, compare with MPI, use a plan.
 */
RARELY static int dispatch_large(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                                 MPI_Comm comm)
{
    struct large_call large = {.count = count, .type = type};
    MPI_Datatype whole;
    int code = PMPI_Type_contiguous_c(count, type, &whole);

    if (code != MPI_SUCCESS) {
        return code;
    }
    code = PMPI_Type_commit(&whole);
    if (code == MPI_SUCCESS) {
        large.call = call_of(buffer, 1, whole, root, comm);
        code = hitop_dispatch_by(&large.call, &serve_large, DISPATCH_MPI);
    }
    (void)PMPI_Type_free(&whole);
    return code;
}

int hitop_bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (count >= 0 && count <= INT_MAX) {
        return hitop_bcast(buffer, (int)count, type, root, comm);
    }
    /* MPI reports errors; a negative root is one, or that of an intercommunicator */
    if (count < 0 || root < 0 || type == MPI_DATATYPE_NULL ||
        hitop_type_kind(type) == HITOP_TYPE_UNCOMMITTED) {
        return hitop_fallback.bcast_c(buffer, count, type, root, comm);
    }
    return dispatch_large(buffer, count, type, root, comm);
}
#endif
