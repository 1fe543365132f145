/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_forward_mpi.c - the part of one node in a broadcast: forward the message, and share it. */
#include <config.h>

#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/scattered_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

void hitop_bcast_write_header(const struct bcast *b, struct header *h)
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

int hitop_bcast_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                           int nlist, const unsigned char *data, struct relay *r)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < nlist && code == MPI_SUCCESS; i += 1 + list[i].below) {
        code = bcast_serve_rank(c, h, hitop_header_fill(h, &list[i + 1], list[i].below, data),
                                list[i].rank, r);
    }
    return code;
}

/* Send the header on to those whom it names. */
static int serve_named(struct bcast *b, const struct header *h, struct relay *r)
{
    struct header on;

    memcpy(&on, h, offsetof(struct header, rest));
    return hitop_bcast_serve_list(b->c, &on, header_list(h), h->nbranch, header_data(h), r);
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
static int pass_segments(struct bcast *b, struct header *h, unsigned char *room, int from)
{
    struct relay r;
    int code = hitop_relay_open(&r, b->c, room, b->total, h->segment, from);

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

int hitop_bcast_obey(struct bcast *b, struct header *h, int from)
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
    } else if (b->c->meet.announces && bcast_leaders(b->c) == HITOP_LEADERS_DIRECTORY) {
        code = hitop_bcast_directory_tree(b, h, room, from);
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

void hitop_bcast_tell_no_header(const void *bcast, FILE *line)
{
    const struct bcast *b = bcast;

    fprintf(line, "nothing has come from the node of rank %d", b->root);
}
