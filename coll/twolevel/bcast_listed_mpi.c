/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_listed_mpi.c - a broadcast over several nodes as in the paper: dynamic leaders with a
 * leader list.
 *
 * Idea:   The numbers of the nodes determine the path of the message, whichever leaders have
 *         arrived. In the paper a node is one process with an address. Here the first process of a
 *         node announces to the root that it leads, and the root passes that on to the leaders that
 *         send to the node. In a binomial tree these are the leaders above it, which wait for the
 *         leaders that they serve. If pieces are scattered and exchanged, all leaders need the
 *         list, so the root waits for all announcements and sends the list with the header.
 * Cost:   The cost of the paper's broadcasts, and one or two short messages before.
 * Use:    For comparison; bcast_dynamic_mpi.c waits for no leader.
 * Needs:  At most DYNAMIC_NODES nodes.
 * Source: the CP ("competitive and pipelined") broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011).
 */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

#include <string.h>

/* For the watchdog: `unknown` points to the number of nodes whose leaders are not known. */
static void print_unknown(const void *unknown, FILE *line)
{
    fprintf(line, "leaders of %d nodes are not known", *(const int *)unknown);
}

/* A tree of nodes; a node is served as soon as its leader is known. */
struct leader_list {
    struct hitop_comm *c;
    struct header *h;
    struct relay relay;
    const struct hitop_tree *tree;
    int unknown;               /* leaders that this process still has to learn */
    int leader[DYNAMIC_NODES]; /* leader of each node; -1: not known */
};

/*
 * The leader of `node` is known now. Serve it, or pass it on to the leader above; pass on to it the
 * leaders below.
 */
static int note_leader(struct leader_list *d, int node)
{
    struct hitop_comm *c = d->c;
    const int parent = hitop_tree_parent(d->tree, node);
    int nchildren, code = MPI_SUCCESS;
    const int *children = hitop_tree_children(d->tree, node, &nchildren);

    if (parent == c->node) {
        code = hitop_header_serve(c, d->h, header_bytes(d->h), d->leader[node], &d->relay);
    } else if (d->leader[parent] >= 0) {
        code = hitop_announce(c, d->leader[parent], d->leader[node], 0);
    }
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        if (d->leader[children[i]] >= 0) {
            code = hitop_announce(c, d->leader[node], d->leader[children[i]], 0);
        }
    }
    return code;
}

static int receive_announcements(struct leader_list *d, int *moved)
{
    int found = 1, code = MPI_SUCCESS;

    while (d->unknown > 0 && found && code == MPI_SUCCESS) {
        struct announcement ready;

        code = hitop_announcement_receive(d->c, &ready, &found);
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

static int serve_as_they_come(struct leader_list *d)
{
    int code = MPI_SUCCESS, busy = 1;
    unsigned round = 0;

    watchdog_awaits(d->c, print_unknown, &d->unknown);
    while ((d->unknown > 0 || busy) && code == MPI_SUCCESS) {
        int moved = 0;

        code = receive_announcements(d, &moved);
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

int hitop_bcast_listed_tree(const struct bcast *b, struct header *h, unsigned char *data)
{
    struct hitop_comm *c = b->c;
    struct leader_list d = {.c = c, .h = h};
    const int whole = (h->flags & HEADER_WHOLE) != 0;
    int code;

    d.tree = hitop_bcast_choice_tree(c->choices, h->builder, c->node_of[b->root], (size_t)h->total);
    if (!d.tree) {
        hitop_failure_abort(c->wire, "out of memory for a tree of nodes");
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
                            whole ? MPI_PROC_NULL : b->from);
    if (code == MPI_SUCCESS) {
        code = serve_as_they_come(&d);
    }
    hitop_relay_close(&d.relay);
    return code;
}

/*
 * The root receives all leader announcements into a list in the order of nodes, and meanwhile
 * shares the message with its own node.
 */
static int receive_all_announcements(struct hitop_comm *c, struct scattered *s,
                                     struct hitop_branch *list)
{
    int code = MPI_SUCCESS, unknown = c->nnodes - 1;
    unsigned round = 0;

    watchdog_awaits(c, print_unknown, &unknown);
    list[c->node] = (struct hitop_branch){.rank = c->rank};
    while (unknown > 0 && code == MPI_SUCCESS) {
        struct announcement ready;
        int moved = 0;

        code = hitop_announcement_receive(c, &ready, &moved);
        if (code == MPI_SUCCESS && moved) {
            list[c->node_of[ready.rank]] = (struct hitop_branch){.rank = ready.rank};
            unknown--;
        }
        hitop_scattered_share(s, &moved);
        if (moved) {
            round = 0;
        } else {
            hitop_wait_relax(&c->wait, &round);
        }
    }
    return code;
}

static int scatter_to_all(const struct bcast *b, struct header *h)
{
    struct hitop_branch list[DYNAMIC_NODES];
    struct scattered s;
    int code = hitop_scattered_open(&s, b, h, b->data);

    if (code == MPI_SUCCESS) {
        code = receive_all_announcements(b->c, &s, list);
    }
    if (code == MPI_SUCCESS) {
        (void)hitop_header_fill(h, list, b->c->nnodes, b->data);
        code = hitop_scattered_run(&s);
    }
    hitop_scattered_close(&s);
    return code;
}

int hitop_bcast_listed(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    int code;

    if (c->rank == b->root) {
        b->from = MPI_PROC_NULL;
        hitop_header_write(b, h);
        (void)hitop_header_fill(h, NULL, 0, b->data);
        return header_is_scattered(h) ? scatter_to_all(b, h)
                                      : hitop_bcast_listed_tree(b, h, b->data);
    }
    if (c->node == c->node_of[b->root] || (c->nlocal > 1 && !hitop_node_claim(&c->shared))) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->dynamic.next);
        return MPI_SUCCESS;
    }
    c->stats.counts[HITOP_COUNT_ELECTIONS]++;
    code = hitop_announce(c, b->root, c->rank, 0);
    return code == MPI_SUCCESS ? hitop_header_await(b, h) : code;
}
