/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_between_mpi.c - when leaders announce themselves.
 *
 * Announcing costs a short message before the data; it pays where a fixed leader would let its node wait for longer than
 * that. The root judges by operations in which leaders did announce themselves: whether a message has waited for the
 * process that would lead otherwise, or a node was missing behind which others might have been. A process that shares
 * its processor is always a little late, hence it waits longer in those operations; and now and then it looks again.
 * Source: the switch between the P and the CP broadcasts of Liu, Song et al., Journal of Software 22 (2011), made while
 * the program runs.
 */
#include <config.h>

#include "coll/runtime/yields_mpi.h"
#include "coll/twolevel/scattered_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lateness is scored in units of so many times the patience, because one process that has lost its processor for long
 * says little. Who shares a processor is late by the turns of others, and telling costs such turns.
 */
static const double much = 5, much_shared = 30;

/*
 * Two looks at arrivals cost about a hundredth of so many times the patience, unless somebody is late; where processors are
 * shared a thousandth, because whoever waits takes turns from others.
 */
static const double rare = 200, rare_shared = 6400;

/* A root that judges waits so many times its patience, to see how long others are missing. */
static const double judging = 16;

static enum hitop_style_leaders leaders(const struct hitop_comm *c)
{
    return hitop_style_leaders((enum hitop_style)c->settings.style);
}

void bcast_begin(struct hitop_comm *c)
{
    meet_expect(c, 2 * hitop_route_latency(c->route, 1));
    arrivals_begin(&c->meet.arrivals);
    c->meet.announces = leaders(c) != HITOP_LEADERS_FIXED && c->nnodes <= MEET_NODES;
}

int bcast_is_judged(struct hitop_comm *c)
{
    return c->settings.style == HITOP_STYLE_AUTO && arrivals_is_judged(&c->meet.arrivals);
}

double bcast_patience(const struct hitop_comm *c, int is_judged)
{
    return (is_judged && c->meet.waits < judging ? judging : c->meet.waits) * c->meet.patience;
}

void bcast_learn(struct hitop_comm *c, double late)
{
    arrivals_learn(&c->meet.arrivals,
                   late / ((c->wait.alone ? much : much_shared) * c->meet.patience));
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

    if (leaders(c) != HITOP_LEADERS_CHANGE) {
        return c->meet.announces;
    }
    return c->nnodes <= MEET_NODES && can_learn(c) &&
           arrivals_shall_announce(a, arrivals_needs_time(a) ? PMPI_Wtime() : a->last_look, span);
}

static int run(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    int code;

    if (c->meet.announces) {
        c->meet.arrivals.last_look = PMPI_Wtime();
    }
    if (c->rank == b->root) {
        c->meet.next = decide_next(c);
    }
    code = !c->meet.announces                      ? bcast_fixed(b)
           : leaders(c) == HITOP_LEADERS_DIRECTORY ? bcast_directory(b)
                                                   : bcast_announced(b);
    c->meet.announces = c->meet.next;
    return code;
}

int bcast_between(struct bcast *b)
{
    int code = serve_nodes_begin(b->c);

    if (code == MPI_SUCCESS) {
        const int held = hitop_mpi_hold_yields();
        code = run(b);
        hitop_mpi_release_yields(held);
    }
    return code;
}

static void choose(const struct bcast *b, struct bcast_last *last)
{
    const struct hitop_comm *c = b->c;
    const struct hitop_route_choice choice =
        hitop_route_choose(c->route, c->node_of[b->root], b->bytes);
    const enum hitop_style_way way =
        hitop_style_way((enum hitop_style)c->settings.style, c->nnodes, b->bytes);
    const int by_model = way == HITOP_BY_MODEL;

    last->way = (uint16_t)way;
    last->segment = by_model ? (uint32_t)choice.segment : HITOP_ROUTE_SEGMENT;
    last->builder = (uint16_t)(by_model ? choice.algorithm : hitop_route_named("binomial"));
    last->is_chosen = 1;
}

void bcast_write_header(const struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    struct bcast_last *last = &c->last;

    bcast_last_begin(last, b->root, b->bytes);
    if (!last->is_chosen) {
        choose(b, last);
    }
    h->seq = c->seq;
    h->total = b->bytes;
    h->way = last->way;
    h->segment = last->segment;
    h->builder = last->builder;
    h->flags = c->meet.next ? HEADER_ANNOUNCES : 0;
    h->flags |= b->bytes <= header_room(c) ? HEADER_WHOLE : 0;
}

int bcast_serve_rank(struct hitop_comm *c, const struct header *h, int bytes, int rank,
                     struct relay *r)
{
    const int code = header_send(c, h, bytes, rank);

    return code == MPI_SUCCESS && !(h->flags & HEADER_WHOLE) ? relay_add(r, rank) : code;
}

int bcast_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                     int nlist, const unsigned char *data, struct relay *r)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < nlist && code == MPI_SUCCESS; i += 1 + list[i].below) {
        code = bcast_serve_rank(c, h, header_fill(h, &list[i + 1], list[i].below, data),
                                list[i].rank, r);
    }
    return code;
}

/* Send the header on to those whom it names. */
static int serve_named(struct bcast *b, const struct header *h, struct relay *r)
{
    struct header on;

    memcpy(&on, h, offsetof(struct header, rest));
    return bcast_serve_list(b->c, &on, header_list(h), h->nbranch, header_data(h), r);
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
        hitop_trouble_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    children = hitop_tree_children(tree, c->node, &nchildren);
    last->nchildren = -1;
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        const int rank = hitop_comm_leader(c, children[i], b->root);

        if (i < BCAST_LAST_CHILDREN) {
            last->children[i] = rank;
        }
        code = bcast_serve_rank(c, h, header_bytes(h), rank, r);
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
        code = bcast_serve_rank(c, h, header_bytes(h), last->children[i], r);
    }
    return code;
}

/* Lengths that disagree: the others of this node shall have theirs. */
static unsigned char *room_for(struct bcast *b)
{
    unsigned char *room = b->total > b->bytes ? malloc(b->total) : b->data;

    if (!room) {
        hitop_trouble_abort(b->c->wire, "out of memory");
    }
    return room;
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

/* Along a tree, a message that is in its header: to its own node first, because to send it takes longer. */
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
static int pass_segments(struct bcast *b, struct header *h, unsigned char *room, int from)
{
    struct relay r;
    int code = relay_open(&r, b->c, room, b->total, h->segment, from);

    if (code == MPI_SUCCESS) {
        code = serve_below(b, h, &r);
    }
    if (code == MPI_SUCCESS) {
        code = relay_run(&r);
    }
    relay_close(&r);
    return code;
}

/* In pieces. */
static int exchange(const struct bcast *b, const struct header *h, unsigned char *room)
{
    struct scattered s;
    int code = scattered_open(&s, b, h, room);

    if (code == MPI_SUCCESS) {
        code = scattered_run(&s);
    }
    scattered_close(&s);
    return code;
}

int bcast_obey(struct bcast *b, struct header *h, int from)
{
    unsigned char *room;
    int code;

    if (b->c->meet.announces && b->c->nlocal > 1) {
        /* whoever has the header publishes, and nobody else of its node */
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
    } else if (b->c->meet.announces && leaders(b->c) == HITOP_LEADERS_DIRECTORY) {
        code = bcast_directory_tree(b, h, room, from);
    } else if (h->flags & HEADER_WHOLE) {
        code = pass_whole(b, h, room);
    } else {
        code = pass_segments(b, h, room, from);
    }
    if (room != b->data) {
        memcpy(b->data, room, b->bytes);
        free(room);
    }
    return code;
}

void bcast_tell_no_header(const void *bcast, FILE *line)
{
    const struct bcast *b = bcast;

    fprintf(line, "nothing has come from the node of rank %d", b->root);
}
