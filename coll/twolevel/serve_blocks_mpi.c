/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_blocks_mpi.c - prepare the buffers of gather, scatter, allgather and alltoall for
 * coll/node.
 */
#include <config.h>

#include "coll/runtime/description_mpi.h"
#include "coll/runtime/memory_mpi.h"
#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <string.h>

/* The side of a call that describes one block, and the side that describes all blocks. */
struct sides {
    const struct call_side *own, *all;
    int has_own, has_all; /* the side has data on this rank */
};

static struct sides sides_of(const struct call *call, int rank)
{
    const int sends = call_sends(call, rank), receives = call_receives(call, rank);

    return hitop_operations()[call->operation].brings == HITOP_BLOCKS &&
                   call->operation != HITOP_ALLTOALL
               ? (struct sides){&call->recv, &call->send, receives, sends}
               : (struct sides){&call->send, &call->recv, sends, receives};
}

static int is_plain(const struct call_side *side)
{
    return side->buffer == MPI_IN_PLACE || hitop_type_is_contiguous(side->type);
}

/* Describe the user's memory. */
static struct serve_blocks describe_plain(const struct sides *s, int rank, int is_exchange)
{
    struct serve_blocks b = {.in_place = s->own->buffer == MPI_IN_PLACE};

    if (s->has_all) {
        const size_t unit = hitop_type_size(s->all->type);
        b.blocks = (struct hitop_node_blocks){.base = s->all->buffer,
                                              .each = (size_t)s->all->count * unit,
                                              .counts = s->all->counts,
                                              .displs = s->all->displs,
                                              .unit = unit};
        b.bytes = b.blocks.each;
    }
    if (s->has_own && s->own->buffer != MPI_IN_PLACE) {
        b.mine = s->own->buffer;
        b.bytes = (size_t)s->own->count * hitop_type_size(s->own->type);
    } else if (is_exchange) {
        b.mine = b.blocks.base;
    } else {
        const struct hitop_node_block block = hitop_node_block(&b.blocks, rank);

        b.mine = block.at;
        b.bytes = block.bytes;
    }
    return b;
}

static int finish(int code, int differs)
{
    return code == MPI_SUCCESS && differs ? MPI_ERR_TRUNCATE : code;
}

static inline int run_blocks(struct hitop_comm *c, const struct serve *serve,
                             const struct serve_blocks *b, int root, int *differs)
{
    int code;

    if (c->nnodes == 1) {
        hitop_node_begin(&c->shared);
        *differs = serve->blocks_on_node(&c->shared, b, root);
        return MPI_SUCCESS;
    }
    code = hitop_serve_nodes_begin(c);
    return code == MPI_SUCCESS ? serve->blocks_over_nodes(c, b, root, differs) : code;
}

/* Use packed copies, for elements that are not plain bytes. */
RARELY static int run_packed(struct hitop_comm *c, const struct call *call, const struct sides *s,
                             const struct serve *serve)
{
    const int is_scatter = s->own == &call->recv;
    struct description d;
    struct memory memory = {.unpacks = 0};
    struct serve_blocks b;
    int differs = 0;
    int code = hitop_description_init(&d, call, c->rank, c->size, 0);

    if (code == MPI_SUCCESS && call->operation == HITOP_SCATTERV && !s->has_all) {
        for (int r = c->rank + 1; r <= c->size; r++) { /* this rank knows only its own length */
            d.starts[r] = (size_t)s->own->count * hitop_type_size(s->own->type);
        }
    }
    if (code == MPI_SUCCESS) {
        code = hitop_memory_open(&memory, call, &d.args, 1, 0, c->wire);
    }
    if (code != MPI_SUCCESS) { /* the other ranks wait for data that will not come */
        hitop_failure_abort(c->wire, "no memory for the buffers of a collective");
    }
    b = (struct serve_blocks){
        .mine = memory.exec[is_scatter ? HITOP_BUFFER_RECV : HITOP_BUFFER_SEND].base,
        .in_place = s->own->buffer == MPI_IN_PLACE,
        .bytes = d.starts ? d.starts[c->rank + 1] - d.starts[c->rank] : d.args.bytes,
        .blocks = {.base = memory.exec[is_scatter ? HITOP_BUFFER_SEND : HITOP_BUFFER_RECV].base,
                   .each = d.args.bytes,
                   .starts = d.starts}};
    code = run_blocks(c, serve, &b, call->root, &differs);
    if (code == MPI_SUCCESS) {
        code = hitop_memory_deliver(&memory, call, &d.args, c->wire);
    }
    hitop_memory_close(&memory);
    hitop_description_fini(&d);
    return finish(code, differs);
}

/* Bytes of a block where all blocks have one length. */
static size_t even_bytes(const struct sides *s)
{
    const struct call_side *known = s->has_own && s->own->buffer != MPI_IN_PLACE ? s->own : s->all;

    return (size_t)known->count * hitop_type_size(known->type);
}

/*
 * Bytes that one process handles in an operation over several nodes: all blocks. 0 if blocks travel
 * packed, because packing limits the bytes.
 */
static size_t bytes_over_nodes(const struct hitop_comm *c, const struct call *call,
                               const struct sides *s)
{
    size_t all = 0;

    if (!(hitop_operations()[call->operation].flags & HITOP_UNEVEN)) {
        return even_bytes(s) * (size_t)c->size;
    }
    if (call->operation == HITOP_ALLGATHERV) { /* all ranks know all lengths */
        for (int r = 0; r < c->size; r++) {
            all += (size_t)s->all->counts[r] * hitop_type_size(s->all->type);
        }
        return all;
    }
    return 0; /* long blocks are sent by themselves */
}

int hitop_serve_blocks_can(const struct hitop_comm *c, const struct call *call)
{
    const struct sides s = sides_of(call, c->rank);
    const int to_all = call->operation == HITOP_ALLGATHER || call->operation == HITOP_ALLGATHERV;
    size_t all;

    if (c->nnodes == 1) {
        return c->nodes_have_outboxes;
    }
    all = bytes_over_nodes(c, call, &s);
    return c->nodes_are_runs && serve_nodes_can(c, all) &&
           (!to_all || serve_nodes_pay(c, all, HITOP_NODES_GATHER_FROM));
}

struct hitop_node_blocks hitop_serve_blocks_of_node(const struct hitop_comm *c,
                                                    const struct hitop_node_blocks *all, int node)
{
    const int first = c->first_of[node];
    struct hitop_node_blocks own = *all;

    if (own.starts) {
        own.starts += first;
    } else if (own.counts) {
        own.counts += first;
        own.displs += first;
    } else if (own.base) {
        own.base += (size_t)first * own.each;
    }
    return own;
}

int hitop_serve_blocks_run(struct hitop_comm *c, const struct call *call, const struct serve *serve)
{
    const struct sides s = sides_of(call, c->rank);
    struct serve_blocks b;
    int code, differs = 0;

    if (!(hitop_operations()[call->operation].flags & HITOP_UNEVEN) && even_bytes(&s) == 0) {
        return MPI_SUCCESS;
    }
    if ((s.has_own && !is_plain(s.own)) || (s.has_all && !is_plain(s.all))) {
        return run_packed(c, call, &s, serve);
    }
    b = describe_plain(&s, c->rank, call->operation == HITOP_ALLTOALL);
    code = run_blocks(c, serve, &b, call->root, &differs);
    return finish(code, differs);
}
