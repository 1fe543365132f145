/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_directory_tree_mpi.c - down a binomial tree of nodes whose leaders become known meanwhile.
 */
#include <config.h>

#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/meet_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"

#include <string.h>

/* A tree of nodes, served as their leaders become known. */
struct directory {
    struct hitop_comm *c;
    struct header *h;
    struct relay relay;
    const struct hitop_tree *tree;
    int unknown;            /* leaders that this process has still to hear of */
    int leader[MEET_NODES]; /* of those it has heard of; -1 */
};

/* Who leads `node` is known: to this process, which may have to tell others. */
static int note_leader(struct directory *d, int node)
{
    struct hitop_comm *c = d->c;
    const int parent = hitop_tree_parent(d->tree, node);
    int nchildren, code = MPI_SUCCESS;
    const int *children = hitop_tree_children(d->tree, node, &nchildren);

    if (parent == c->node) {
        code = bcast_serve_rank(c, d->h, header_bytes(d->h), d->leader[node], &d->relay);
    } else if (d->leader[parent] >= 0) {
        code = hitop_meet_tell(c, d->leader[parent], d->leader[node], 0);
    }
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        if (d->leader[children[i]] >= 0) {
            code = hitop_meet_tell(c, d->leader[node], d->leader[children[i]], 0);
        }
    }
    return code;
}

static int hear(struct directory *d, int *moved)
{
    int found = 1, code = MPI_SUCCESS;

    while (d->unknown > 0 && found && code == MPI_SUCCESS) {
        struct meet_ready ready;

        code = hitop_meet_take(d->c, &ready, &found);
        if (code == MPI_SUCCESS && found) {
            const int node = d->c->node_of[ready.rank];
            d->leader[node] = ready.rank;
            d->unknown--;
            *moved = 1;
            code = note_leader(d, node);
        }
    }
    return code;
}

void hitop_bcast_tell_unknown(const void *unknown, FILE *line)
{
    fprintf(line, "leaders of %d nodes are not known", *(const int *)unknown);
}

static int serve_as_they_come(struct directory *d)
{
    int code = MPI_SUCCESS, busy = 1;
    unsigned round = 0;

    watchdog_awaits(d->c, hitop_bcast_tell_unknown, &d->unknown);
    while ((d->unknown > 0 || busy) && code == MPI_SUCCESS) {
        int moved = 0;

        code = hear(d, &moved);
        if (code == MPI_SUCCESS) {
            code = hitop_relay_step(&d->relay, &moved, &busy);
        }
        if (moved) {
            round = 0;
        } else if (d->unknown > 0 || busy) {
            hitop_wait_relax(&d->c->wait, &round);
        }
    }
    return code;
}

int hitop_bcast_directory_tree(const struct bcast *b, struct header *h, unsigned char *data,
                               int from)
{
    struct hitop_comm *c = b->c;
    struct directory d = {.c = c, .h = h};
    const int whole = (h->flags & HEADER_WHOLE) != 0;
    int code;

    d.tree = hitop_route_tree(c->route, h->builder, c->node_of[b->root], (size_t)h->total);
    if (!d.tree) {
        hitop_trouble_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    if (c->rank == b->root) {
        d.unknown = c->nnodes - 1;
    } else {
        (void)hitop_tree_children(d.tree, c->node, &d.unknown);
    }
    for (int i = 0; i < c->nnodes; i++) {
        d.leader[i] = -1;
    }
    if (whole && c->rank != b->root) {
        memcpy(data, header_data(h), (size_t)h->total);
    }
    code = hitop_relay_open(&d.relay, c, data, (size_t)h->total, h->segment,
                            whole ? MPI_PROC_NULL : from);
    if (code == MPI_SUCCESS) {
        code = serve_as_they_come(&d);
    }
    hitop_relay_close(&d.relay);
    return code;
}
