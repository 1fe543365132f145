/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_scattered_mpi.c - a node's part in a broadcast of pieces, scattered, then exchanged. */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

#include <stdlib.h>

/* A message to or from another node. */
struct transfer {
    int node; /* counted from the root's node */
    struct hitop_block block;
};

void hitop_scattered_open(struct scattered *s, const struct bcast *b, const struct header *h,
                          unsigned char *data)
{
    const size_t total = (size_t)h->total;
    struct hitop_comm *c = b->c;
    const int n = c->nnodes, root_node = c->node_of[b->root];
    int nsteps;

    *s = (struct scattered){.c = c,
                            .h = h,
                            .data = data,
                            .piece = (total + (size_t)n - 1) / (size_t)n,
                            .root = b->root,
                            .root_node = root_node,
                            .me = (c->node - root_node + n) % n,
                            .exchange = hitop_bcast_exchange((enum hitop_bcast_pattern)h->pattern)};
    nsteps = s->exchange->nsteps(n);
    s->nchildren = hitop_scatter_children(n, s->me, s->children);
    s->get.all = 1 + nsteps;
    s->put.all = s->nchildren + nsteps;
    s->get.requests =
        hitop_comm_memory(c, (size_t)(s->get.all + s->put.all) * sizeof(*s->get.requests));
    s->put.requests = s->get.requests + s->get.all;
    hitop_node_open(&s->share, total, c->dynamic.next);
}

/*
 * The k-th message to this node: first the block that its parent scatters, then those of the steps.
 */
static struct transfer to_get(const struct scattered *s, int k)
{
    struct hitop_exchange_step step;

    if (k == 0) {
        return (struct transfer){hitop_scatter_parent(s->me),
                                 hitop_scatter_block(s->c->nnodes, s->me)};
    }
    s->exchange->step(s->c->nnodes, s->me, k - 1, &step);
    return (struct transfer){step.from, step.get};
}

/* The k-th message from this node: first the blocks of its children, then those of the steps. */
static struct transfer to_put(const struct scattered *s, int k)
{
    struct hitop_exchange_step step;

    if (k < s->nchildren) {
        return (struct transfer){s->children[k], hitop_scatter_block(s->c->nnodes, s->children[k])};
    }
    s->exchange->step(s->c->nnodes, s->me, k - s->nchildren, &step);
    return (struct transfer){step.to, step.put};
}

static size_t start_of(const struct scattered *s, struct hitop_block block)
{
    const size_t at = (size_t)block.first * s->piece;

    return at < (size_t)s->h->total ? at : (size_t)s->h->total;
}

static size_t bytes_of(const struct scattered *s, struct hitop_block block)
{
    const struct hitop_block rest = {.first = block.first + block.count};

    return start_of(s, rest) - start_of(s, block);
}

static int rank_of(const struct scattered *s, int node)
{
    node = (node + s->root_node) % s->c->nnodes;
    return s->h->nbranch > 0 ? header_list(s->h)[node].rank
                             : hitop_comm_leader(s->c, node, s->root);
}

void hitop_scattered_share(struct scattered *s, int *moved)
{
    const int there = s->me == 0 ? 1 : s->get.complete; /* the root has the whole message */

    while (s->c->nlocal > 1 && s->shared < there) {
        const struct hitop_block block = to_get(s, s->shared).block;
        const size_t at = start_of(s, block) + s->begun, rest = bytes_of(s, block) - s->begun;
        const size_t taken =
            rest > 0 ? hitop_node_write_piece(&s->c->shared, &s->share, s->data + at, at, rest) : 0;

        s->begun += taken;
        *moved |= taken > 0;
        if (taken < rest) {
            return;
        }
        s->shared++;
        s->begun = 0;
    }
}

/* Post all receives; the root posts none, because it has the data. */
static int expect_all(struct scattered *s)
{
    int code = MPI_SUCCESS;

    for (; s->get.posted < s->get.all && code == MPI_SUCCESS; s->get.posted++) {
        const struct transfer t = to_get(s, s->get.posted);
        const size_t bytes = s->me == 0 ? 0 : bytes_of(s, t.block);

        s->get.requests[s->get.posted] = MPI_REQUEST_NULL;
        if (bytes > 0) {
            code = PMPI_Irecv(s->data + start_of(s, t.block), (int)bytes, MPI_BYTE,
                              rank_of(s, t.node), hitop_comm_tag(s->c, HITOP_TAG_SEGMENT),
                              s->c->wire, &s->get.requests[s->get.posted]);
        }
    }
    return code;
}

/* Test the oldest messages. */
static int test_messages(struct scattered_flow *flow, int *moved)
{
    int code = MPI_SUCCESS, flag = 1;

    while (flow->complete < flow->posted && code == MPI_SUCCESS) {
        if (flow->requests[flow->complete] != MPI_REQUEST_NULL) {
            code = PMPI_Test(&flow->requests[flow->complete], &flag, MPI_STATUS_IGNORE);
        }
        if (!flag) {
            break;
        }
        flow->complete++;
        *moved = 1;
    }
    return code;
}

/*
 * Start the next send if its data have arrived and the send before is complete; the sends of a step
 * wait for the receives of the steps before. Sends that share a link would arrive together, as late
 * as the last one, and their receivers could pass nothing on meanwhile.
 */
static int send_what_is_there(struct scattered *s, int *moved)
{
    int code = test_messages(&s->put, moved);

    while (code == MPI_SUCCESS && s->put.posted == s->put.complete && s->put.posted < s->put.all) {
        const int step = s->put.posted - s->nchildren;
        const struct transfer t = to_put(s, s->put.posted);
        const size_t bytes = bytes_of(s, t.block);

        if (s->get.complete < (step > 0 ? 1 + step : 1)) {
            break;
        }
        s->put.requests[s->put.posted] = MPI_REQUEST_NULL;
        if (bytes > 0) {
            code = PMPI_Isend(s->data + start_of(s, t.block), (int)bytes, MPI_BYTE,
                              rank_of(s, t.node), hitop_comm_tag(s->c, HITOP_TAG_SEGMENT),
                              s->c->wire, &s->put.requests[s->put.posted]);
        }
        s->put.posted++;
        *moved = 1;
        code = code == MPI_SUCCESS ? test_messages(&s->put, moved) : code;
    }
    return code;
}

/* For the watchdog. */
static void print_awaited(const void *scattered, FILE *line)
{
    const struct scattered *s = scattered;

    fprintf(line, "%d of %d internode messages have come, %d of %d have gone", s->get.complete,
            s->get.all, s->put.complete, s->put.all);
}

static int step(void *scattered, int *moved, int *busy)
{
    struct scattered *s = scattered;
    int code = test_messages(&s->get, moved);

    code = code == MPI_SUCCESS ? send_what_is_there(s, moved) : code;
    hitop_scattered_share(s, moved);
    *busy = s->get.complete < s->get.all || s->put.complete < s->put.all ||
            (s->c->nlocal > 1 && s->share.written < s->share.total);
    return code;
}

int hitop_scattered_run(struct scattered *s)
{
    const int header = (int)(header_data(s->h) - (const unsigned char *)s->h);
    int code = expect_all(s);

    for (int k = 0; k < s->nchildren && code == MPI_SUCCESS; k++) {
        code = hitop_header_send(s->c, s->h, header, rank_of(s, s->children[k]));
    }
    return code == MPI_SUCCESS ? hitop_comm_progress(s->c, step, print_awaited, s) : code;
}

void hitop_scattered_close(struct scattered *s)
{
    free(s->get.requests);
}
