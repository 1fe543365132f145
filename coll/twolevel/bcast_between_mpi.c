/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_between_mpi.c - when leaders announce themselves.
 *
 * Announcing costs a short message before the data; it pays where a fixed leader would let its node wait. The root knows
 * from the operations in which leaders did announce themselves whether somebody was missing, and goes on accordingly;
 * now and then it looks again.
 * Source: the switch between the P and the CP broadcasts of Liu, Song et al., Journal of Software 22 (2011), made while
 * the program runs.
 */
#include <config.h>

#include "bcast_between.h"

#include "header_mpi.h"
#include "relay_mpi.h"

#include <stdlib.h>
#include <string.h>

/* The weight of the last operation in the score, and the score above which leaders announce themselves. */
static const double weight = 0.2, enough = 0.1;

/* Patience where the model knows the network as faster than that. */
static const double least_patience = 5e-6;

/* How often to look while nobody announces himself, in operations: first soon, then ever less often. */
enum { LOOK_SOON = 8, LOOK_LATE = 256 };

void bcast_begin(struct hitop_comm *c)
{
    const double patience = 2 * hitop_route_latency(c->route);

    c->meet.patience = patience > least_patience ? patience : least_patience;
    c->meet.score = 0.5;
    c->meet.look_after = LOOK_SOON;
    c->meet.announces = c->settings.style != HITOP_STYLE_FIXED && c->nnodes <= MEET_NODES;
}

void bcast_learn(struct hitop_comm *c, int is_unbalanced)
{
    c->meet.score += weight * (is_unbalanced - c->meet.score);
    if (is_unbalanced) {
        c->meet.look_after = LOOK_SOON;
    }
}

/* Two in a row: the second one hears who came late to the first. */
static int is_time_to_look(struct meet *m)
{
    if (++m->quiet < m->look_after) {
        return 0;
    }
    if (m->quiet > m->look_after) {
        m->quiet = 0;
        m->look_after *= m->look_after < LOOK_LATE ? 2 : 1;
    }
    return 1;
}

/* Root: shall leaders announce themselves in the next operation? */
static int decide_next(struct hitop_comm *c)
{
    if (c->settings.style != HITOP_STYLE_AUTO) {
        return c->meet.announces;
    }
    return c->nnodes <= MEET_NODES && (c->meet.score > enough || is_time_to_look(&c->meet));
}

int bcast_between(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    int code;

    if (c->rank == b->root) {
        c->meet.next = decide_next(c);
    }
    code = c->meet.announces ? bcast_announced(b) : bcast_fixed(b);
    c->meet.announces = c->meet.next;
    return code;
}

/* Send the header on, and say who gets segments from us. */
static int serve_list(struct bcast *b, const struct header *h, struct relay *r)
{
    const struct hitop_branch *list = header_list(h);
    struct header on;
    int code = MPI_SUCCESS;

    memcpy(&on, h, offsetof(struct header, rest));
    for (int i = 0; i < h->nbranch && code == MPI_SUCCESS; i += 1 + list[i].below) {
        code = header_send(b->c, &on, header_fill(&on, &list[i + 1], list[i].below, header_data(h)),
                           list[i].rank);
        if (code == MPI_SUCCESS && !(h->flags & HEADER_WHOLE)) {
            code = relay_add(r, list[i].rank);
        }
    }
    return code;
}

/* Where leaders are fixed everybody knows the tree by its builder. */
static int serve_tree(struct bcast *b, struct header *h, struct relay *r)
{
    struct hitop_comm *c = b->c;
    const struct hitop_tree *tree =
        hitop_route_tree(c->route, h->builder, c->node_of[b->root], (size_t)h->total);
    const int bytes =
        (int)(offsetof(struct header, rest) + (h->flags & HEADER_WHOLE ? (size_t)h->total : 0));
    const int *children;
    int nchildren, code = MPI_SUCCESS;

    if (!tree) {
        hitop_trouble_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    children = hitop_tree_children(tree, c->node, &nchildren);
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        const int rank = hitop_comm_leader(c, children[i], b->root);
        code = header_send(c, h, bytes, rank);
        if (code == MPI_SUCCESS && !(h->flags & HEADER_WHOLE)) {
            code = relay_add(r, rank);
        }
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

int bcast_obey(struct bcast *b, struct header *h, int from)
{
    const int whole = (h->flags & HEADER_WHOLE) != 0;
    unsigned char *room;
    struct relay r;
    int code;

    b->total = (size_t)h->total;
    b->c->meet.next = (h->flags & HEADER_ANNOUNCES) != 0;
    room = room_for(b);
    if (!room) {
        return MPI_ERR_NO_MEM;
    }
    code = relay_open(&r, b->c, room, b->total, h->segment, whole ? MPI_PROC_NULL : from);
    if (code == MPI_SUCCESS) {
        code = b->c->meet.announces ? serve_list(b, h, &r) : serve_tree(b, h, &r);
    }
    if (code == MPI_SUCCESS) {
        if (whole) {
            memcpy(room, header_data(h), b->total);
        }
        code = relay_run(&r);
    }
    relay_close(&r);
    if (room != b->data) {
        memcpy(b->data, room, b->bytes);
        free(room);
    }
    return code;
}
