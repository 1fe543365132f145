/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * description_mpi.c - describe a call as plans need it; share lengths of blocks along a tree, or
 * with all ranks.
 */
#include <config.h>

#include "coll/runtime/description_mpi.h"

#include "coll/runtime/types_mpi.h"

#include "hitop/sys/coll.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The starts of blocks with these counts; NULL when out of memory. */
static size_t *starts_of(const struct call_side *side, int size)
{
    const size_t unit = hitop_type_size(side->type);
    size_t *starts = malloc(((size_t)size + 1) * sizeof(*starts));

    if (starts) {
        starts[0] = 0;
        for (int i = 0; i < size; i++) {
            starts[i + 1] = starts[i] + (size_t)side->counts[i] * unit;
        }
    }
    return starts;
}

/* Only the root knows all lengths; another rank of a gather knows its own. */
static size_t *starts_of_own(const struct description *d)
{
    const struct call_side *send = &d->call->send;
    size_t *starts = calloc((size_t)d->args.size + 1, sizeof(*starts));

    for (int i = d->args.rank + 1; starts && i <= d->args.size; i++) {
        starts[i] = d->call->operation == HITOP_GATHERV
                        ? (size_t)send->count * hitop_type_size(send->type)
                        : 0;
    }
    return starts;
}

/* The side that describes all blocks. */
static const struct call_side *blocks_side(const struct description *d)
{
    const struct call *c = d->call;

    return (d->operation->brings == HITOP_BLOCKS && c->send.buffer != MPI_IN_PLACE) ||
                   c->recv.buffer == MPI_IN_PLACE
               ? &c->send
               : &c->recv;
}

int hitop_description_lacks_counts(const struct description *d)
{
    return !d->known &&
           (d->call->operation == HITOP_SCATTERV || d->call->operation == HITOP_GATHERV);
}

/* Fill in starts; 0 when out of memory. */
static int describe_blocks(struct description *d)
{
    const struct call *c = d->call;
    const int size = d->args.size;

    if (hitop_description_lacks_counts(d) && d->args.rank != c->root) {
        d->starts = starts_of_own(d);
    } else {
        d->starts = starts_of(blocks_side(d), size);
    }
    if (c->operation == HITOP_ALLTOALLV) {
        d->recv_starts = starts_of(&c->recv, size);
        if (!d->recv_starts) {
            return 0;
        }
    }
    d->args.starts = d->starts;
    d->args.recv_starts = d->recv_starts;
    return d->starts != NULL;
}

static size_t side_bytes(const struct call_side *side)
{
    return (size_t)side->count * hitop_type_size(side->type);
}

int hitop_description_init(struct description *d, const struct call *c, int rank, int size,
                           int known)
{
    int commutes = 1, code = MPI_SUCCESS;

    *d = (struct description){.call = c,
                              .operation = &hitop_operations()[c->operation],
                              .known = known,
                              .args = {.rank = rank, .size = size, .unit = 1}};
    if (hitop_operation_has_root(d->operation)) {
        d->args.root = c->root;
    }
    if (d->operation->flags & HITOP_REDUCES) {
        d->args.unit = hitop_type_size(c->recv.type);
        code = PMPI_Op_commutative(c->op, &commutes);
        d->args.ordered = !commutes;
    }
    if (d->operation->flags & HITOP_UNEVEN) {
        if (!describe_blocks(d)) {
            return MPI_ERR_NO_MEM;
        }
    } else if (d->operation->takes != HITOP_NOTHING) {
        d->args.bytes = side_bytes(
            call_receives(c, rank) && c->recv.buffer != MPI_IN_PLACE ? &c->recv : &c->send);
    }
    d->key = (struct choice_key){.operation = c->operation,
                                 .root = d->args.root,
                                 .unit = d->args.unit,
                                 .ordered = d->args.ordered,
                                 .uneven = d->starts != NULL};
    return code;
}

size_t hitop_description_bytes(const struct description *d)
{
    return d->starts ? d->starts[d->args.size] : d->args.bytes;
}

int hitop_description_is_empty(const struct description *d)
{
    return d->operation->takes != HITOP_NOTHING && d->call->operation != HITOP_ALLTOALLV &&
           !hitop_description_lacks_counts(d) && hitop_description_bytes(d) == 0;
}

void hitop_description_fini(struct description *d)
{
    free(d->starts);
    free(d->recv_starts);
}

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths travel as 64 bits");

int hitop_counts_send_to_rank_0(struct plans *p, int root, size_t *starts)
{
    if (root == 0 || (p->rank != root && p->rank != 0)) {
        return MPI_SUCCESS;
    }
    return p->rank == root ? PMPI_Send(starts, p->size + 1, MPI_UINT64_T, 0, plans_tag(p), p->wire)
                           : PMPI_Recv(starts, p->size + 1, MPI_UINT64_T, root, plans_tag(p),
                                       p->wire, MPI_STATUS_IGNORE);
}

/* Send the lengths of the subtree of `top`; `length` is indexed by places in the tree's order. */
static int send_lengths(struct plans *p, const struct hitop_tree *tree, const size_t *length,
                        int top, int to)
{
    return PMPI_Send(length + hitop_tree_first_place(tree, top), hitop_tree_weight(tree, top),
                     MPI_UINT64_T, to, plans_tag(p), p->wire);
}

static int receive_lengths(struct plans *p, const struct hitop_tree *tree, size_t *length, int top,
                           int from)
{
    return PMPI_Recv(length + hitop_tree_first_place(tree, top), hitop_tree_weight(tree, top),
                     MPI_UINT64_T, from, plans_tag(p), p->wire, MPI_STATUS_IGNORE);
}

static int send_down(struct plans *p, const struct hitop_tree *tree, size_t *length)
{
    const int parent = hitop_tree_parent(tree, p->rank);
    int code = MPI_SUCCESS, n;
    const int *child = hitop_tree_children(tree, p->rank, &n);

    if (parent != HITOP_NO_RANK) {
        code = receive_lengths(p, tree, length, p->rank, parent);
    }
    for (int i = 0; i < n && code == MPI_SUCCESS; i++) {
        code = send_lengths(p, tree, length, child[i], child[i]);
    }
    return code;
}

/*
 * Receive from the children and send to the parent, unless that is the root, which has all lengths.
 */
static int send_up(struct plans *p, const struct hitop_tree *tree, size_t *length)
{
    const int parent = hitop_tree_parent(tree, p->rank);
    int code = MPI_SUCCESS, n;
    const int *child = hitop_tree_children(tree, p->rank, &n);

    if (parent == HITOP_NO_RANK) {
        return MPI_SUCCESS;
    }
    for (int i = 0; i < n && code == MPI_SUCCESS; i++) {
        code = receive_lengths(p, tree, length, child[i], child[i]);
    }
    if (code == MPI_SUCCESS && parent != hitop_tree_root(tree)) {
        code = send_lengths(p, tree, length, p->rank, parent);
    }
    return code;
}

static int share_along(struct plans *p, const struct choice *choice, size_t *starts)
{
    const struct hitop_tree *tree = choice->tree;
    size_t *length = calloc((size_t)p->size, sizeof(*length)); /* by place in the tree */
    int code;

    if (!length) {
        hitop_failure_abort(p->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    for (int r = 0; r < p->size; r++) {
        length[hitop_tree_place(tree, r)] = starts[r + 1] - starts[r];
    }
    code = choice->key.operation == HITOP_SCATTERV ? send_down(p, tree, length)
                                                   : send_up(p, tree, length);
    for (int r = 0; r < p->size; r++) {
        starts[r + 1] = starts[r] + length[hitop_tree_place(tree, r)];
    }
    free(length);
    return code;
}

int hitop_counts_share(struct plans *p, const struct choice *choice, size_t *starts)
{
    if (p->counts == NAMED_COUNTS_PROPAGATED && choice->tree &&
        choice->what.algorithm.type->below) {
        return share_along(p, choice, starts);
    }
    return PMPI_Bcast(starts, p->size + 1, MPI_UINT64_T, choice->key.root, p->wire);
}
