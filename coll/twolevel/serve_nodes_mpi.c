/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_nodes_mpi.c - see serve_nodes_mpi.h. */
#include <config.h>

#include "coll/twolevel/serve_nodes_mpi.h"

#include "coll/runtime/wire_mpi.h"

#include <stdlib.h>

void hitop_serve_nodes_create(struct hitop_comm *c, struct hitop_trouble *t)
{
    int all[2] = {c->nlocal == 1 || c->shared.lanes.ring_bytes > 0, c->wait.alone};

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
        hitop_trouble_note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, c->wire),
                               "MPI_Allreduce failed");
    }
    c->nodes_have_lanes = all[0];
    c->nodes_are_alone = all[1];
}

void hitop_serve_nodes_free(struct hitop_comm *c)
{
    hitop_wire_free(&c->leaders);
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

    if (c->seq - c->settled < most) {
        return MPI_SUCCESS;
    }
    c->settled = c->seq;
    return PMPI_Barrier(c->wire);
}

int hitop_serve_nodes_send(struct hitop_comm *c, const void *data, size_t bytes, int rank)
{
    return PMPI_Send(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                     c->wire);
}

int hitop_serve_nodes_take(struct hitop_comm *c, void *data, size_t bytes, int rank)
{
    return PMPI_Recv(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                     c->wire, MPI_STATUS_IGNORE);
}

int hitop_serve_nodes_receive(struct hitop_comm *c, unsigned char *base, const size_t *starts)
{
    const int tag = hitop_comm_tag(c, HITOP_TAG_SEGMENT);
    MPI_Status status;
    int code = PMPI_Probe(MPI_ANY_SOURCE, tag, c->wire, &status);

    if (code == MPI_SUCCESS) {
        const int node = c->node_of[status.MPI_SOURCE];
        code = PMPI_Recv(base + starts[node], (int)(starts[node + 1] - starts[node]), MPI_BYTE,
                         status.MPI_SOURCE, tag, c->wire, MPI_STATUS_IGNORE);
    }
    return code;
}

void hitop_serve_nodes_starts(const struct hitop_comm *c, size_t each,
                              size_t starts[SERVE_NODES + 1])
{
    for (int k = 0; k < c->nnodes; k++) {
        starts[k] = (size_t)c->first_of[k] * each;
    }
    starts[c->nnodes] = (size_t)c->size * each;
}

int *hitop_serve_nodes_counts(struct hitop_comm *c, const struct hitop_node_blocks *blocks)
{
    int *counts = malloc(2 * (size_t)c->nnodes * sizeof(*counts));

    if (!counts) { /* others wait for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return NULL;
    }
    for (int k = 0; k < c->nnodes; k++) {
        const int first = c->first_of[k], end = serve_nodes_end(c, k);
        const size_t start = blocks->starts ? blocks->starts[first] : (size_t)first * blocks->each;
        const size_t stop = blocks->starts ? blocks->starts[end] : (size_t)end * blocks->each;

        counts[k] = (int)(stop - start);
        counts[c->nnodes + k] = (int)start;
    }
    return counts;
}

void hitop_serve_nodes_hand_down(struct hitop_comm *c, void *data, size_t bytes)
{
    int note;

    if (c->nlocal == 1) {
        return;
    }
    hitop_node_begin(&c->shared);
    if (c->local == 0) {
        hitop_node_put(&c->shared, data, bytes, 0);
    } else {
        (void)hitop_node_read(&c->shared, data, bytes, &note);
    }
}
