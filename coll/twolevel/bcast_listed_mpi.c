/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_listed_mpi.c - a broadcast over several nodes as in the paper: dynamic leaders with a
 * leader list.
 *
 * Idea:   The numbers of the nodes determine the path of the message, whichever leaders have
 *         arrived. In the paper a node is one process with an address. Here the first process of a
 *         node announces to the root that it leads, and the root forwards the announcement to the
 *         leaders that send to the node. In a binomial tree there is one such leader, the parent,
 *         which waits for the announcements of its children. If pieces are scattered and exchanged,
 *         all leaders need the list, so the root waits for all announcements and sends the list
 *         with the header.
 * Cost:   The cost of the paper's broadcasts, and one or two short messages before.
 * Use:    For comparison; bcast_dynamic_mpi.c waits for no leader.
 * Needs:  At most DYNAMIC_NODES nodes.
 * Source: the CP ("competitive and pipelined") broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011).
 */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

#include <string.h>

/* State of a leader in a tree of nodes, which serves a child as soon as its leader is known. */
struct leader_list {
    int unknown; /* leaders that this process still has to learn */
    struct hitop_comm *c;
    struct header *h;
    struct relay relay;
    const struct hitop_tree *tree;
    int leader[DYNAMIC_NODES]; /* leader of each node; -1: not known */
};

/* For the watchdog; `what` begins with the number of unknown leaders. */
static void print_unknown(const void *what, FILE *line)
{
    fprintf(line, "leaders of %d nodes are not known", *(const int *)what);
}

/*
 * The leader of `node` is known now. Serve it if it is a child; otherwise announce it to its
 * parent's leader if that is known. Announce to it the known leaders of its children.
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

static int step_tree(void *leader_list, int *moved, int *busy)
{
    struct leader_list *d = leader_list;
    int code = receive_announcements(d, moved);

    if (code == MPI_SUCCESS) {
        code = hitop_relay_step(&d->relay, moved, busy);
    }
    *busy |= d->unknown > 0;
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
    hitop_relay_open(&d.relay, c, data, (size_t)h->total, h->segment,
                     whole ? MPI_PROC_NULL : b->from);
    code = hitop_comm_progress(c, step_tree, print_unknown, &d);
    hitop_relay_close(&d.relay);
    return code;
}

/* State of a root that scatters pieces: list[i] is the leader of node i. */
struct scatter_root {
    int unknown;
    struct scattered s;
    struct hitop_branch list[DYNAMIC_NODES];
};

/* Receive a leader announcement, and meanwhile share the message with the root's node. */
static int step_scatter(void *scatter_root, int *moved, int *busy)
{
    struct scatter_root *a = scatter_root;
    struct hitop_comm *c = a->s.c;
    struct announcement ready;
    int code = hitop_announcement_receive(c, &ready, moved);

    if (code == MPI_SUCCESS && *moved) {
        a->list[c->node_of[ready.rank]] = (struct hitop_branch){.rank = ready.rank};
        a->unknown--;
    }
    hitop_scattered_share(&a->s, moved);
    *busy = a->unknown > 0;
    return code;
}

static int scatter_to_all(const struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    struct scatter_root a = {.unknown = c->nnodes - 1};
    int code;

    hitop_scattered_open(&a.s, b, h, b->data);
    a.list[c->node].rank = c->rank;
    code = hitop_comm_progress(c, step_scatter, print_unknown, &a);
    if (code == MPI_SUCCESS) {
        (void)hitop_header_fill(h, a.list, c->nnodes, b->data);
        code = hitop_scattered_run(&a.s);
    }
    hitop_scattered_close(&a.s);
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
