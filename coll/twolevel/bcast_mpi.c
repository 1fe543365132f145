/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_mpi.c - MPI_Bcast: choose what serves a call, and pack its datatype. */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/signatures_mpi.h"
#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/bcast_internode.h"

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
    int code;

    watchdog_enter(c, HITOP_BCAST, root, 0);
    code = hitop_bcast_internode(&b);
    watchdog_exit(c);
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

    c->seq++;
    c->stats.served[HITOP_BCAST]++;
    c->served_by = "twolevel";
    if (c->watch) {
        hitop_stats_arrive(c);
    }
    c->watchdog.now.call = NULL;
    c->watchdog.now.print = NULL;
    c->watchdog.now.root = root;
    c->watchdog.now.bytes = bytes;
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

static int bcast_by_mpi(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
#if MPI_VERSION >= 4
    if (count > INT_MAX) {
        return hitop_fallback.bcast_c(buffer, count, type, root, comm);
    }
#endif
    return hitop_fallback.bcast(buffer, (int)count, type, root, comm);
}

/* Serve by a plan where the program or its user names an algorithm, else by MPI. */
static int other_bcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct hitop_comm *c = comm == MPI_COMM_NULL ? NULL : hitop_comm_state(comm);
    const int is_planned = count <= INT_MAX && plans_serve(comm, HITOP_BCAST);

    if (c) {
        c->served_by = is_planned ? NULL : "";
    }
    return is_planned ? hitop_call_bcast(buffer, (int)count, type, root, comm)
                      : bcast_by_mpi(buffer, count, type, root, comm);
}

/* Serve a call without two levels, on a communicator that has a state. */
static int bcast_fallback(struct hitop_comm *c, void *buffer, MPI_Count count, MPI_Datatype type,
                          int root)
{
    int code;

    watchdog_enter(c, HITOP_BCAST, root, ++c->stats.left[HITOP_BCAST]);
    code = other_bcast(buffer, count, type, root, c->user);
    watchdog_exit(c);
    return code;
}

/* Serve in two levels, on a communicator that is ready. */
static int serve_bcast(struct hitop_comm *c, void *buffer, MPI_Count count, MPI_Datatype type,
                       int root)
{
    const size_t bytes = (size_t)count * hitop_type_size(type);

    return hitop_type_kind(type) == HITOP_TYPE_PLAIN
               ? bcast_bytes(c, buffer, bytes, root)
               : bcast_packed(c, buffer, count, type, bytes, root);
}

/*
 * Serve by the faster of two levels and MPI, or by the one whose turn it is in the comparison.
 * *is_reported: MPI has reported its errors.
 */
RARELY static int serve_faster(struct hitop_comm *c, void *buffer, MPI_Count count,
                               MPI_Datatype type, int root, int *is_reported)
{
    const struct compare_key key = hitop_compare_key_even(
        HITOP_BCAST, (size_t)count * hitop_type_size(type), c->node_of[root]);
    struct compare_turn turn;
    int code;

    watchdog_enter(c, HITOP_BCAST, root, 0);
    *is_reported = hitop_compare_enter(&c->compare, &key, &turn) == COMPARE_MPI;
    watchdog_exit(c);
    code = *is_reported ? bcast_fallback(c, buffer, count, type, root)
                        : serve_bcast(c, buffer, count, type, root);
    hitop_compare_exit(&turn, *is_reported ? NULL : c->served_by, code);
    return code;
}

/* An algorithm that the user names (HITOP_BCAST) is used without comparison. */
static int is_compared(const struct hitop_comm *c)
{
    return c->compare.most > 0 && c->settings.algorithm == HITOP_BCAST_AUTO;
}

/* Report an error of Hitop to the error handler. */
static int reported(MPI_Comm comm, int code)
{
    if (code != MPI_SUCCESS) {
        (void)PMPI_Comm_call_errhandler(comm, code);
    }
    return code;
}

/* Serve any call: its arguments may be wrong, its communicator may be new or left to MPI. */
RARELY static int bcast_any(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                            MPI_Comm comm)
{
    enum hitop_type_kind kind;
    struct hitop_comm *c;
    int code, is_reported = 0;

    if (comm == MPI_COMM_NULL || type == MPI_DATATYPE_NULL || count <= 0 ||
        buffer == MPI_IN_PLACE || plans_serve(comm, HITOP_BCAST)) {
        return other_bcast(buffer, count, type, root, comm);
    }
    c = hitop_comm_state(comm);
    if (!c) {
        return other_bcast(buffer, count, type, root, comm);
    }
    if (c->mode == HITOP_COMM_PASS || root < 0 || root >= c->size || hitop_type_size(type) == 0 ||
        (kind = hitop_type_kind(type)) == HITOP_TYPE_UNCOMMITTED ||
        (kind == HITOP_TYPE_PLAIN && !buffer) || !hitop_comm_enter(c, comm)) {
        return bcast_fallback(c, buffer, count, type, root);
    }
    if (c->mode == HITOP_COMM_BROKEN) {
        code = MPI_ERR_OTHER;
    } else if (is_compared(c)) {
        code = serve_faster(c, buffer, count, type, root, &is_reported);
    } else {
        code = serve_bcast(c, buffer, count, type, root);
    }
    return is_reported ? code : reported(comm, code);
}

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

int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct hitop_comm *c = fast_state(comm);

    if (!c || type != hitop_type_last.type || !buffer || buffer == MPI_IN_PLACE || count <= 0 ||
        root < 0 || root >= c->size) {
        return bcast_any(buffer, count, type, root, comm);
    }
    return reported(comm, bcast_bytes(c, buffer, (size_t)count * hitop_type_last.size, root));
}

#if MPI_VERSION >= 4
int hitop_bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return bcast_any(buffer, count, type, root, comm);
}
#endif
