/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_between_mpi.c - how a broadcast over several nodes goes, and when leaders announce
 * themselves.
 *
 * Announcing costs a short message before the data; it pays where a fixed leader would let its node
 * wait for longer than that. The root judges by operations in which leaders did announce
 * themselves: whether a message has waited for the process that would lead otherwise, or a node was
 * missing behind which others might have been. A process that shares its processor is always a
 * little late, hence it waits longer in those operations; and now and then it looks again. Source:
 * the switch between the P and the CP broadcasts of Liu, Song et al., Journal of Software 22
 * (2011), made while the program runs.
 */
#include <config.h>

#include "coll/runtime/yields_mpi.h"
#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/serve_mpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two looks at arrivals cost about a hundredth of so many times the patience, unless somebody is
 * late; where processors are shared a thousandth, because whoever waits takes turns from others.
 */
static const double rare = 200, rare_shared = 6400;

void hitop_bcast_begin(struct hitop_comm *c)
{
    hitop_meet_expect(c, 2 * hitop_route_latency(c->route, 1));
    hitop_arrivals_begin(&c->meet.arrivals);
    c->meet.announces = bcast_leaders(c) != HITOP_LEADERS_FIXED && c->nnodes <= MEET_NODES;
}

/* Of two processes, each on its node, nobody waits for the one who would lead. */
static int can_learn(const struct hitop_comm *c)
{
    return c->nnodes > 2 || c->size > c->nnodes;
}

/* Root: shall leaders announce themselves in the next operation? */
static int decide_next(struct hitop_comm *c)
{
    const double span = (c->wait.alone ? rare : rare_shared) * c->meet.patience;
    struct arrivals *a = &c->meet.arrivals;

    if (bcast_leaders(c) != HITOP_LEADERS_CHANGE) {
        return c->meet.announces;
    }
    return c->nnodes <= MEET_NODES && can_learn(c) &&
           hitop_arrivals_shall_announce(a, arrivals_needs_time(a) ? PMPI_Wtime() : a->last_look,
                                         span);
}

/* Send the header on to those whom it names. */
static int serve_named(struct bcast *b, const struct header *h, struct relay *r)
{
    struct header on;

    memcpy(&on, h, offsetof(struct header, rest));
    return hitop_header_serve_list(b->c, &on, header_list(h), h->nbranch, header_data(h), r);
}

/* Those below us in the tree, who are kept for the next time. */
static int serve_children(struct bcast *b, struct header *h, struct relay *r)
{
    struct hitop_comm *c = b->c;
    struct bcast_last *last = &c->last;
    const struct hitop_tree *tree =
        hitop_route_tree(c->route, h->builder, c->node_of[b->root], (size_t)h->total);
    const int *children;
    int nchildren, code = MPI_SUCCESS;

    if (!tree) {
        hitop_failure_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    children = hitop_tree_children(tree, c->node, &nchildren);
    last->nchildren = -1;
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        const int rank = hitop_comm_leader(c, children[i], b->root);

        if (i < BCAST_LAST_CHILDREN) {
            last->children[i] = rank;
        }
        code = hitop_header_serve(c, h, header_bytes(h), rank, r);
    }
    if (code == MPI_SUCCESS && nchildren <= BCAST_LAST_CHILDREN) { /* all of them are there */
        last->builder = h->builder;
        last->nchildren = (int8_t)nchildren;
    }
    return code;
}

/* Where leaders are fixed everybody knows the tree by its builder. */
static int serve_tree(struct bcast *b, struct header *h, struct relay *r)
{
    struct hitop_comm *c = b->c;
    struct bcast_last *last = &c->last;
    int code = MPI_SUCCESS;

    bcast_last_begin(last, b->root, (size_t)h->total);
    if (last->nchildren < 0 || last->builder != h->builder) {
        return serve_children(b, h, r);
    }
    for (int i = 0; i < last->nchildren && code == MPI_SUCCESS; i++) {
        code = hitop_header_serve(c, h, header_bytes(h), last->children[i], r);
    }
    return code;
}

/* Lengths that disagree: the others of this node shall have theirs. */
static unsigned char *room_for(struct bcast *b)
{
    return b->total > b->bytes ? hitop_comm_memory(b->c, b->total) : b->data;
}

/* To those below us in the tree; segments by `r`. */
static int serve_below(struct bcast *b, struct header *h, struct relay *r)
{
    return b->c->meet.announces ? serve_named(b, h, r) : serve_tree(b, h, r);
}

/* For the watchdog. */
static void tell_no_room(const void *bcast, FILE *line)
{
    const struct bcast *b = bcast;

    fprintf(line, "others of this node are many operations behind, and %zu bytes have no room",
            b->total);
}

/*
 * Along a tree, a message that is in its header: to its own node first, because to send it takes
 * longer.
 */
static int pass_whole(struct bcast *b, struct header *h, unsigned char *room)
{
    struct hitop_comm *c = b->c;
    struct hitop_node_writer share;
    unsigned round = 0;
    int is_shared, code;

    if (c->rank != b->root) {
        memcpy(room, header_data(h), b->total);
    }
    hitop_node_open(&share, b->total, c->meet.next);
    is_shared = c->nlocal == 1 || hitop_node_write(&c->shared, &share, room, b->total) > 0;
    code = serve_below(b, h, NULL);
    watchdog_awaits(c, tell_no_room, b);
    while (!is_shared && code == MPI_SUCCESS) {
        hitop_wait_relax(&c->wait, &round);
        is_shared = hitop_node_write(&c->shared, &share, room, b->total) > 0;
    }
    return code;
}

/* Along a tree, in segments as they come. */
static int pass_segments(struct bcast *b, struct header *h, unsigned char *room)
{
    struct relay r;
    int code = hitop_relay_open(&r, b->c, room, b->total, h->segment, b->from);

    if (code == MPI_SUCCESS) {
        code = serve_below(b, h, &r);
    }
    if (code == MPI_SUCCESS) {
        code = hitop_relay_run(&r);
    }
    hitop_relay_close(&r);
    return code;
}

/* In pieces. */
static int exchange(const struct bcast *b, const struct header *h, unsigned char *room)
{
    struct scattered s;
    int code = hitop_scattered_open(&s, b, h, room);

    if (code == MPI_SUCCESS) {
        code = hitop_scattered_run(&s);
    }
    hitop_scattered_close(&s);
    return code;
}

/*
 * This node's part of a header that has come: the data, now or in segments, and the ranks to serve.
 */
static int forward(struct bcast *b, struct header *h)
{
    unsigned char *room;
    int code;

    if (b->c->meet.announces && b->c->nlocal > 1) {
        /* the rank that has the header publishes, and no other of its node */
        assert(!hitop_node_is_published(&b->c->shared));
        hitop_node_stamp(&b->c->shared);
    }
    b->total = (size_t)h->total;
    b->c->meet.next = (h->flags & HEADER_ANNOUNCES) != 0;
    room = room_for(b);
    if (!room) {
        return MPI_ERR_NO_MEM;
    }
    if (header_is_scattered(h)) {
        code = exchange(b, h, room);
    } else if (b->c->meet.announces && bcast_leaders(b->c) == HITOP_LEADERS_DIRECTORY) {
        code = hitop_bcast_directory_tree(b, h, room);
    } else if (h->flags & HEADER_WHOLE) {
        code = pass_whole(b, h, room);
    } else {
        code = pass_segments(b, h, room);
    }
    if (room != b->data) {
        memcpy(b->data, room, b->bytes);
        free(room);
    }
    return code;
}

/*
 * A broadcast over several nodes with fixed leaders.
 *
 * Idea:   the root and the first rank of every other node pass the message down a tree of nodes, in
 *         segments; each of them puts the segments into its node's shared memory as they arrive,
 *         where the other ranks copy them out. So a slow link is crossed once per node at most,
 *         whatever the placement of the ranks, and copying on a node overlaps with the network.
 * Cost:   that of the tree between nodes (hitop/predict.h), plus one copy on the last node.
 * Source: the P ("pipelined") broadcasts of Liu, Song et al., Journal of Software 22 (2011), on
 *         MPIActor; van de Geijn's segmentation.
 */
static int bcast_fixed(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;

    if (c->rank != hitop_comm_leader(c, c->node, b->root)) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
        return MPI_SUCCESS;
    }
    if (c->rank != b->root) {
        return hitop_header_await(b, h);
    }
    hitop_header_write(b, h); /* it forwards its own */
    (void)hitop_header_fill(h, NULL, 0, b->data);
    b->has_header = 1;
    b->from = MPI_PROC_NULL;
    return MPI_SUCCESS;
}

static int run(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct header h;
    int code;

    if (c->meet.announces) {
        c->meet.arrivals.last_look = PMPI_Wtime();
    }
    if (c->rank == b->root) {
        c->meet.next = decide_next(c);
    }
    code = !c->meet.announces                            ? bcast_fixed(b, &h)
           : bcast_leaders(c) == HITOP_LEADERS_DIRECTORY ? hitop_bcast_directory(b, &h)
                                                         : hitop_bcast_announced(b, &h);
    if (code == MPI_SUCCESS && b->has_header) {
        code = forward(b, &h);
    }
    c->meet.announces = c->meet.next;
    return code;
}

int hitop_bcast_between(struct bcast *b)
{
    int code = hitop_serve_nodes_begin(b->c);

    if (code == MPI_SUCCESS) {
        const int held = hitop_mpi_hold_yields();
        code = run(b);
        hitop_mpi_release_yields(held);
    }
    return code;
}
