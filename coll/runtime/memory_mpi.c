/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_mpi.c - the three buffers of a plan. */
#include <config.h>

#include "coll/runtime/memory_mpi.h"

#include "coll/runtime/types_mpi.h"

#include <stdint.h>
#include <stdlib.h>

/* A call, its operation and its arguments on one rank. */
struct view {
    const struct call *call;
    const struct hitop_operation *operation;
    const struct hitop_coll_args *args;
    MPI_Comm wire;
};

static struct view view_of(const struct call *call, const struct hitop_coll_args *args,
                           MPI_Comm wire)
{
    return (struct view){call, &hitop_operations()[call->operation], args, wire};
}

/* Pieces of one side: one message or block, or a block for each rank. */
static struct pieces side_pieces(const struct view *v, const struct call_side *side,
                                 enum hitop_share share, const size_t *starts)
{
    const struct hitop_coll_args *a = v->args;

    if (share == HITOP_BLOCKS) {
        return hitop_pieces_of(side, 0, a->size, starts, a->bytes);
    }
    if (share == HITOP_BLOCK) {
        return hitop_pieces_of(side, 0, 1, NULL, hitop_block_bytes(a, a->rank, 1));
    }
    return hitop_pieces_of(side, 0, 1, NULL, a->bytes);
}

/* This rank's block among the blocks of a side. */
static struct pieces own_piece(const struct view *v, const struct call_side *side)
{
    return hitop_pieces_of(side, v->args->rank, 1, v->args->starts, v->args->bytes);
}

static int is_in_place(const struct call_side *side)
{
    return side->buffer == MPI_IN_PLACE;
}

static const size_t *taken_starts(const struct hitop_coll_args *args)
{
    return args->recv_starts ? args->recv_starts : args->starts;
}

static struct pieces brought_pieces(const struct view *v)
{
    const struct call *c = v->call;

    if (!is_in_place(&c->send)) {
        return side_pieces(v, &c->send, v->operation->brings, v->args->starts);
    }
    if (v->operation->brings == HITOP_BLOCK) {
        return own_piece(v, &c->recv);
    }
    return side_pieces(v, &c->recv, v->operation->brings, v->args->starts);
}

static struct pieces taken_pieces(const struct view *v)
{
    return side_pieces(v, &v->call->recv, v->operation->takes, taken_starts(v->args));
}

/* A packed copy of the send data; calloc() sets bytes that packing skips. */
static int pack_brought(struct memory *m, const struct view *v, enum hitop_buffer buffer,
                        const struct pieces *pieces, size_t bytes)
{
    unsigned char *copy = calloc(bytes + 1, 1);

    m->copies[buffer] = copy;
    m->exec[buffer] = exec_bytes(copy);
    return copy ? hitop_pieces_pack(pieces, copy, &m->truncated, v->wire) : MPI_ERR_NO_MEM;
}

static int open_send(struct memory *m, const struct view *v, int in_place)
{
    const size_t bytes = hitop_coll_brings(v->operation, v->args);
    struct pieces pieces;
    void *base;

    m->exec[HITOP_BUFFER_SEND] = exec_bytes(NULL);
    if (!call_sends(v->call, v->args->rank)) {
        return MPI_SUCCESS;
    }
    pieces = brought_pieces(v);
    base = hitop_pieces_lie_packed(&pieces);
    if (base && (in_place || !is_in_place(&v->call->send))) {
        m->exec[HITOP_BUFFER_SEND] = exec_bytes(base);
        return MPI_SUCCESS;
    }
    return pack_brought(m, v, HITOP_BUFFER_SEND, &pieces, bytes);
}

static int scratch(struct memory *m, enum hitop_buffer buffer, size_t bytes)
{
    m->copies[buffer] = malloc(bytes + 1);
    m->exec[buffer] = exec_bytes(m->copies[buffer]);
    return m->copies[buffer] ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int open_recv(struct memory *m, const struct view *v, int in_place)
{
    const size_t bytes = hitop_coll_takes(v->operation, v->args);
    struct pieces pieces;
    void *base;

    m->exec[HITOP_BUFFER_RECV] = exec_bytes(NULL);
    if (!call_receives(v->call, v->args->rank)) {
        return MPI_SUCCESS;
    }
    if (is_in_place(&v->call->recv)) { /* the rank's own block of a scatter stays in place */
        if (in_place) {
            unsigned char *all = m->exec[HITOP_BUFFER_SEND].base;
            m->exec[HITOP_BUFFER_RECV] =
                exec_bytes(all + hitop_block_start(v->args, v->args->rank));
            return MPI_SUCCESS;
        }
        return scratch(m, HITOP_BUFFER_RECV, bytes);
    }
    pieces = taken_pieces(v);
    base = hitop_pieces_lie_packed(&pieces);
    if (base) {
        m->exec[HITOP_BUFFER_RECV] = exec_bytes(base);
        return MPI_SUCCESS;
    }
    if (v->call->operation == HITOP_BCAST && v->args->rank == v->args->root) {
        return pack_brought(m, v, HITOP_BUFFER_RECV, &pieces, bytes);
    }
    m->unpacks = 1;
    return scratch(m, HITOP_BUFFER_RECV, bytes);
}

int hitop_memory_deliver(struct memory *m, const struct call *call,
                         const struct hitop_coll_args *args, MPI_Comm wire)
{
    const struct view v = view_of(call, args, wire);
    struct pieces pieces;
    int code = MPI_SUCCESS;

    if (m->unpacks) {
        pieces = taken_pieces(&v);
        code = hitop_pieces_unpack(&pieces, m->copies[HITOP_BUFFER_RECV], &m->truncated, wire);
    }
    return code == MPI_SUCCESS && m->truncated ? MPI_ERR_TRUNCATE : code;
}

void hitop_memory_close(struct memory *m)
{
    for (int i = 0; i < HITOP_NBUFFERS; i++) {
        free(m->copies[i]);
    }
}

/* The buffers of a reduction: elements, with the gaps of their type. */

/* The elements of the type that is reduced. */
struct elements {
    MPI_Datatype type;
    size_t size;
    MPI_Count extent, true_lb, true_extent;
    int plain;
};

static struct exec_memory typed(const struct elements *e, void *base)
{
    return (struct exec_memory){.base = base,
                                .type = e->type,
                                .unit = e->size,
                                .extent = (MPI_Aint)e->extent,
                                .plain = e->plain};
}

/* Allocate memory for elements of `bytes` packed bytes, with the gaps of their type. */
static int typed_scratch(struct memory *m, const struct elements *e, enum hitop_buffer buffer,
                         size_t bytes)
{
    const MPI_Count n = (MPI_Count)(bytes / e->size);
    const MPI_Count last = n > 0 ? (n - 1) * e->extent : 0;
    const MPI_Count low = e->true_lb + (last < 0 ? last : 0);
    const MPI_Count high = e->true_lb + e->true_extent + (last > 0 ? last : 0);

    m->exec[buffer] = typed(e, NULL);
    if (n == 0) {
        return MPI_SUCCESS;
    }
    m->copies[buffer] = calloc((size_t)(high - low), 1); /* a user's operation may read gaps */
    m->exec[buffer].base = (void *)((uintptr_t)m->copies[buffer] - (uintptr_t)low);
    return m->copies[buffer] ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Copy the send data, for a plan that cannot run on one memory for both sides. */
static int copy_brought(struct memory *m, const struct elements *e, size_t bytes, MPI_Comm wire)
{
    const void *base = m->exec[HITOP_BUFFER_SEND].base;
    int code = typed_scratch(m, e, HITOP_BUFFER_SEND, bytes);

    if (code == MPI_SUCCESS) {
        code = hitop_exec_memory_copy(&m->exec[HITOP_BUFFER_SEND], 0, base, bytes, wire);
    }
    return code;
}

static int memory_open_elements(struct memory *m, const struct call *call,
                                const struct hitop_coll_args *args, int in_place, size_t work,
                                MPI_Comm wire)
{
    const struct hitop_operation *operation = &hitop_operations()[call->operation];
    const int same = call->send.buffer == MPI_IN_PLACE;
    struct elements e = {.type = call->recv.type, .size = args->unit};
    MPI_Count lb = 0;
    int code = PMPI_Type_get_extent_x(e.type, &lb, &e.extent);

    if (code == MPI_SUCCESS) {
        code = PMPI_Type_get_true_extent_x(e.type, &e.true_lb, &e.true_extent);
    }
    e.plain = hitop_type_is_contiguous(e.type);
    m->exec[HITOP_BUFFER_SEND] = typed(&e, same ? call->recv.buffer : call->send.buffer);
    m->exec[HITOP_BUFFER_RECV] = typed(&e, call->recv.buffer);
    if (code == MPI_SUCCESS && same && !in_place) {
        code = copy_brought(m, &e, hitop_coll_brings(operation, args), wire);
    }
    if (code == MPI_SUCCESS && call->operation == HITOP_EXSCAN && args->rank == 0) {
        /* there the receive buffer is not significant */
        code = typed_scratch(m, &e, HITOP_BUFFER_RECV, hitop_coll_takes(operation, args));
    }
    if (code == MPI_SUCCESS) {
        code = typed_scratch(m, &e, HITOP_BUFFER_WORK, work);
    }
    return code;
}

int hitop_memory_open(struct memory *m, const struct call *call, const struct hitop_coll_args *args,
                      int in_place, size_t work, MPI_Comm wire)
{
    const struct view v = view_of(call, args, wire);
    int code;

    *m = (struct memory){0};
    if (v.operation->flags & HITOP_REDUCES) {
        return memory_open_elements(m, call, args, in_place, work, wire);
    }
    code = open_send(m, &v, in_place);
    if (code == MPI_SUCCESS) {
        code = open_recv(m, &v, in_place);
    }
    if (code == MPI_SUCCESS) {
        code = scratch(m, HITOP_BUFFER_WORK, work);
    }
    return code;
}
