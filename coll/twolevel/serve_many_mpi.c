/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_many_mpi.c - see serve_many_mpi.h. */
#include <config.h>

#include "coll/twolevel/serve_many_mpi.h"

#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* Who takes part between nodes, and where what it has lies. */
struct speaker {
    int end_node;        /* where the tree ends: that of the root, */
    int end;             /* and its first rank */
    int is_end;          /* this rank is that */
    unsigned char *data; /* NULL on ranks that do not speak */
    unsigned char *room; /* to be freed: NULL where data is the user's */
};

/* First ranks get memory, `bytes` on all nodes but the root's, where it is `all`; there the root's own if it is first. */
static int speaker_open(struct hitop_comm *c, struct speaker *s, int root, void *of_root,
                        size_t bytes, size_t all)
{
    const int end_node = c->node_of[root], end = c->first_of[end_node];

    *s = (struct speaker){.end_node = end_node, .end = end, .is_end = c->rank == end};
    if (c->local != 0) {
        return MPI_SUCCESS;
    }
    s->data = c->rank == root ? of_root : NULL;
    if (!s->data) {
        s->room = malloc(s->is_end ? all : bytes);
        s->data = s->room;
    }
    if (!s->data) { /* others wait for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

/* Between the end of the tree and a root that is another rank of its node. */
static int bring_to_root(struct hitop_comm *c, const struct speaker *s, int root, void *of_root,
                         size_t bytes)
{
    if (root == s->end) {
        return MPI_SUCCESS;
    }
    if (s->is_end) {
        return hitop_serve_nodes_send(c, s->data, bytes, root);
    }
    return c->rank == root ? hitop_serve_nodes_take(c, of_root, bytes, s->end) : MPI_SUCCESS;
}

static int bring_from_root(struct hitop_comm *c, const struct speaker *s, int root,
                           const void *of_root, size_t bytes)
{
    if (root == s->end) {
        return MPI_SUCCESS;
    }
    if (c->rank == root) {
        return hitop_serve_nodes_send(c, of_root, bytes, s->end);
    }
    return s->is_end ? hitop_serve_nodes_take(c, s->data, bytes, root) : MPI_SUCCESS;
}

/*
 * What the first rank brings of its node goes into `share`, which is another memory than that of the result: MPICH 4.0.2
 * crashes where the root of a reduction in place is not rank 0.
 */
static int reduce_first_ranks(struct hitop_comm *c, const struct speaker *k,
                              const struct call *call, struct serve_combine *s, void *share,
                              size_t bytes)
{
    const void *mine = serve_combine_mine(call);
    int differs = 0, code = MPI_SUCCESS;

    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        differs = hitop_node_reduce(&c->shared, mine, share, bytes, 0, &s->combine);
    } else {
        memcpy(share, mine, bytes);
    }
    if (k->data) {
        code = PMPI_Reduce(share, k->is_end ? k->data : NULL, call->recv.count, s->type, s->op,
                           k->end_node, c->leaders);
    }
    if (code == MPI_SUCCESS) {
        code = bring_to_root(c, k, call->root, call->recv.buffer, bytes);
    }
    return code == MPI_SUCCESS ? serve_combine_code(s, differs) : code;
}

int hitop_serve_many_reduce(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                            size_t bytes)
{
    struct speaker k;
    unsigned char *share = NULL;
    int code = speaker_open(c, &k, call->root, call->recv.buffer, bytes, bytes);

    if (code == MPI_SUCCESS && k.is_end && !(share = malloc(bytes))) { /* others wait for it */
        hitop_trouble_abort(c->wire, "out of memory");
        code = MPI_ERR_NO_MEM;
    }
    if (code == MPI_SUCCESS) {
        code = reduce_first_ranks(c, &k, call, s, share ? share : k.data, bytes);
    }
    free(share);
    free(k.room);
    return code;
}

/* The blocks of this rank's node, among those of all at the end of the tree. */
static struct hitop_node_blocks share_of(const struct hitop_comm *c, const struct speaker *k,
                                         size_t each)
{
    struct hitop_node_blocks share = {.base = k->data, .each = each};

    if (k->is_end) {
        share.base += (size_t)c->first_of[c->node] * each;
    }
    return share;
}

static int gather_first_ranks(struct hitop_comm *c, const struct speaker *k, size_t each)
{
    const struct hitop_node_blocks all = {.each = each};
    const int n = (int)(each * (size_t)c->nlocal);
    int *counts, code;

    if (c->nodes_are_even) { /* MPI knows more ways for these */
        return PMPI_Gather(k->is_end ? MPI_IN_PLACE : k->data, n, MPI_BYTE, k->data, n, MPI_BYTE,
                           k->end_node, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, &all);
    code = counts ? PMPI_Gatherv(k->is_end ? MPI_IN_PLACE : k->data, n, MPI_BYTE, k->data, counts,
                                 counts + c->nnodes, MPI_BYTE, k->end_node, c->leaders)
                  : MPI_ERR_NO_MEM;
    free(counts);
    return code;
}

int hitop_serve_many_gather(struct hitop_comm *c, const struct serve_blocks *b, int root,
                            int *differs)
{
    const size_t each = b->bytes, all = each * (size_t)c->size;
    struct hitop_node_blocks share;
    struct speaker k;
    int code = speaker_open(c, &k, root, b->blocks.base, each * (size_t)c->nlocal, all);

    if (code != MPI_SUCCESS) {
        return code;
    }
    share = share_of(c, &k, each);
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs = hitop_node_gather(&c->shared, b->mine, each, &share, 0);
    } else {
        *differs = hitop_serve_blocks_keep(&share, b->mine, each);
    }
    if (k.data) {
        code = gather_first_ranks(c, &k, each);
    }
    if (code == MPI_SUCCESS) {
        code = bring_to_root(c, &k, root, b->blocks.base, all);
    }
    free(k.room);
    return code;
}

static int scatter_first_ranks(struct hitop_comm *c, const struct speaker *k, size_t each)
{
    const struct hitop_node_blocks all = {.each = each};
    const int n = (int)(each * (size_t)c->nlocal);
    int *counts, code;

    if (c->nodes_are_even) {
        return PMPI_Scatter(k->data, n, MPI_BYTE, k->is_end ? MPI_IN_PLACE : k->data, n, MPI_BYTE,
                            k->end_node, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, &all);
    code = counts ? PMPI_Scatterv(k->data, counts, counts + c->nnodes, MPI_BYTE,
                                  k->is_end ? MPI_IN_PLACE : k->data, n, MPI_BYTE, k->end_node,
                                  c->leaders)
                  : MPI_ERR_NO_MEM;
    free(counts);
    return code;
}

/* From whoever has them on this node: the root, who has all, or the first rank. */
static int scatter_on_node(struct hitop_comm *c, const struct speaker *k,
                           const struct serve_blocks *b, int root)
{
    const int of_root = c->node == k->end_node;
    const struct hitop_node_blocks share =
        of_root ? hitop_serve_blocks_of_node(c, &b->blocks, c->node)
                : (struct hitop_node_blocks){.base = k->data, .each = b->bytes};

    if (c->nlocal == 1) {
        return hitop_serve_blocks_fetch(&share, b->mine, b->bytes);
    }
    hitop_node_begin(&c->shared);
    return hitop_node_scatter(&c->shared, &share, b->mine, b->bytes,
                              of_root ? hitop_serve_nodes_local(c, root) : 0);
}

int hitop_serve_many_scatter(struct hitop_comm *c, const struct serve_blocks *b, int root,
                             int *differs)
{
    const size_t each = b->bytes, all = each * (size_t)c->size;
    struct speaker k;
    int code = speaker_open(c, &k, root, b->blocks.base, each * (size_t)c->nlocal, all);

    if (code == MPI_SUCCESS) {
        code = bring_from_root(c, &k, root, b->blocks.base, all);
    }
    if (code == MPI_SUCCESS && k.data) {
        code = scatter_first_ranks(c, &k, each);
    }
    if (code == MPI_SUCCESS) {
        *differs = scatter_on_node(c, &k, b, root);
    }
    free(k.room);
    return code;
}
