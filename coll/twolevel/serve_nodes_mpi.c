/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_nodes_mpi.c - steps on a node and internode messages of two-level operations. */
#include <config.h>

#include "coll/runtime/wire_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

void hitop_serve_nodes_create(struct hitop_comm *c, struct hitop_failure *t)
{
    int all[2] = {c->nlocal == 1 || c->shared.outbox.ring_bytes > 0, c->wait.alone};

    c->nodes_are_runs = 1;
    for (int r = 1; r < c->size; r++) {
        c->nodes_are_runs &= c->node_of[r] >= c->node_of[r - 1];
    }
    c->nodes_are_even = c->nodes_are_runs && c->size % c->nnodes == 0;
    c->nodes_most = 0;
    for (int k = 0; k < c->nnodes; k++) {
        const int ranks = serve_nodes_end(c, k) - c->first_of[k];

        c->nodes_are_even &= ranks == c->size / c->nnodes;
        c->nodes_most = ranks > c->nodes_most ? ranks : c->nodes_most;
    }
    if (c->nnodes > 1) {
        hitop_wire_split(c->wire, c->local == 0, &c->leaders, t);
        hitop_failure_note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, c->wire),
                               "MPI_Allreduce failed");
    }
    c->nodes_have_outboxes = all[0];
    c->nodes_are_alone = all[1];
}

int hitop_serve_nodes_local(const struct hitop_comm *c, int rank)
{
    int local = 0;

    if (c->nodes_are_runs) {
        return rank - c->first_of[c->node_of[rank]];
    }
    for (int r = 0; r < rank; r++) {
        local += c->node_of[r] == c->node_of[rank];
    }
    return local;
}

int hitop_serve_nodes_begin(struct hitop_comm *c)
{
    const uint64_t most = (uint64_t)c->tags / 2;

    if (c->seq - c->synchronized < most) {
        return MPI_SUCCESS;
    }
    c->synchronized = c->seq;
    return PMPI_Barrier(c->wire);
}

int hitop_serve_node_gather(struct hitop_comm *c, const void *mine, size_t bytes,
                            const struct hitop_node_blocks *to, int root)
{
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_gather(&c->shared, mine, bytes, to, root);
    }
    return hitop_node_copy_own(hitop_node_block(to, 0), mine, bytes);
}

int hitop_serve_node_scatter(struct hitop_comm *c, const struct hitop_node_blocks *from, void *mine,
                             size_t bytes, int root)
{
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_scatter(&c->shared, from, mine, bytes, root);
    }
    return hitop_node_keep_own(hitop_node_block(from, 0), mine, bytes);
}

int hitop_serve_node_reduce(struct hitop_comm *c, const void *mine, void *sum, size_t bytes,
                            int root, struct serve_combine *s)
{
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_reduce(&c->shared, mine, sum, bytes, root, &s->combine);
    }
    if (mine != sum) {
        memcpy(sum, mine, bytes);
    }
    return 0;
}

void hitop_serve_node_share(struct hitop_comm *c, void *data, size_t bytes)
{
    int note;

    if (c->nlocal == 1) {
        return;
    }
    hitop_node_begin(&c->shared);
    if (c->local == 0) {
        hitop_node_post(&c->shared, data, bytes, 0);
    } else {
        (void)hitop_node_read(&c->shared, data, bytes, &note);
    }
}

int hitop_serve_nodes_send(struct hitop_comm *c, const void *data, size_t bytes, int rank)
{
    return PMPI_Send(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                     c->wire);
}

int hitop_serve_nodes_receive(struct hitop_comm *c, void *data, size_t bytes, int rank)
{
    return PMPI_Recv(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                     c->wire, MPI_STATUS_IGNORE);
}

int hitop_serve_nodes_receive_any(struct hitop_comm *c, unsigned char *base, const size_t *starts)
{
    MPI_Status status;
    int code = PMPI_Probe(MPI_ANY_SOURCE, hitop_comm_tag(c, HITOP_TAG_SEGMENT), c->wire, &status);

    if (code == MPI_SUCCESS) {
        const int node = c->node_of[status.MPI_SOURCE];

        code = hitop_serve_nodes_receive(c, base + starts[node], starts[node + 1] - starts[node],
                                         status.MPI_SOURCE);
    }
    return code;
}

int *hitop_serve_nodes_counts(struct hitop_comm *c, const struct hitop_node_blocks *blocks)
{
    int *counts = hitop_comm_memory(c, 2 * (size_t)c->nnodes * sizeof(*counts));

    for (int k = 0; k < c->nnodes; k++) {
        const int first = c->first_of[k], end = serve_nodes_end(c, k);
        const size_t start = blocks->starts ? blocks->starts[first] : (size_t)first * blocks->each;
        const size_t stop = blocks->starts ? blocks->starts[end] : (size_t)end * blocks->each;

        counts[k] = (int)(stop - start);
        counts[c->nnodes + k] = (int)start;
    }
    return counts;
}

void hitop_leader_tree_open(struct hitop_comm *c, struct leader_tree *s, int root, void *of_root,
                            size_t bytes, size_t all)
{
    const int end_node = c->node_of[root], end = c->first_of[end_node];

    *s = (struct leader_tree){.end_node = end_node, .end = end, .is_end = c->rank == end};
    if (c->local == 0 && c->rank == root) {
        s->data = of_root;
    } else if (c->local == 0) {
        s->data = s->buffer = hitop_comm_memory(c, s->is_end ? all : bytes);
    }
}

int hitop_leader_tree_move(struct hitop_comm *c, const struct leader_tree *s, int root,
                           void *of_root, size_t bytes, int to_root)
{
    void *data = s->is_end ? s->data : of_root;
    const int other = s->is_end ? root : s->end;

    if (root == s->end || (!s->is_end && c->rank != root)) {
        return MPI_SUCCESS;
    }
    return s->is_end == to_root ? hitop_serve_nodes_send(c, data, bytes, other)
                                : hitop_serve_nodes_receive(c, data, bytes, other);
}
