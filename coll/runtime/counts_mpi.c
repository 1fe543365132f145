/* SPDX-License-Identifier: BSD-3-Clause */
/* counts_mpi.c - lengths along a tree, or to all. */
#include <config.h>

#include "coll/runtime/counts_mpi.h"

#include "hitop/sys/coll.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths travel as 64 bits");

int hitop_counts_tell_rank_0(struct plans *p, int root, size_t *starts)
{
    if (root == 0 || (p->rank != root && p->rank != 0)) {
        return MPI_SUCCESS;
    }
    return p->rank == root ? PMPI_Send(starts, p->size + 1, MPI_UINT64_T, 0, plans_tag(p), p->wire)
                           : PMPI_Recv(starts, p->size + 1, MPI_UINT64_T, root, plans_tag(p),
                                       p->wire, MPI_STATUS_IGNORE);
}

/* Lengths of the subtree of `top`, by their places in the line of the tree. */
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

/* The root has them all. */
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
    size_t *length = calloc((size_t)p->size, sizeof(*length)); /* by place */
    int code;

    if (!length) {
        hitop_trouble_abort(p->wire, "out of memory");
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
    if (p->counts == NAMED_COUNTS_PROPAGATED && choice->tree && choice->what.way.type->below) {
        return share_along(p, choice, starts);
    }
    return PMPI_Bcast(starts, p->size + 1, MPI_UINT64_T, choice->key.root, p->wire);
}
