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

#include "scattered_mpi.h"
#include "serve_nodes_mpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lateness is scored in units of so many times the patience, at most 1, because one process that has lost its processor
 * for long says little. Who shares a processor is late by the turns of others, and telling costs such turns.
 */
static const double much = 5, much_shared = 20;

/*
 * The weight of the last judgement, after the first ones: more if somebody was late, because where processes come by chance
 * the one who would lead is rarely late, but then for long. The score above which leaders begin to announce themselves,
 * and that below which they cease; and the highest score, the first one, because older arrivals do not count.
 */
static const double late_weight = 0.1, even_weight = 0.05, enough = 0.15, little = 0.075,
                    most = 0.25;

/* A root that judges waits so many times its patience, to see how long others are missing. */
static const double judging = 16;

/*
 * Where leaders do announce themselves so many operations are judged, later one of so many, and each after one without late
 * processes.
 */
enum { JUDGED = 8 };

/*
 * How often to look while nobody announces himself, in operations: first soon, then ever less often; but at once where
 * the last look is so many times the patience ago that two more of them cost about a hundredth of the time.
 */
enum { LOOK_SOON = 8, LOOK_LATE = 128 };
static const double rare = 200, rare_shared = 800;

static enum hitop_style_leaders leaders(const struct hitop_comm *c)
{
    return hitop_style_leaders((enum hitop_style)c->settings.style);
}

void bcast_begin(struct hitop_comm *c)
{
    meet_expect(c, 2 * hitop_route_latency(c->route, 1));
    c->meet.score = most;
    c->meet.pays = 1;
    c->meet.look_after = LOOK_SOON;
    c->meet.announces = leaders(c) != HITOP_LEADERS_FIXED && c->nnodes <= MEET_NODES;
}

int bcast_is_judged(struct hitop_comm *c)
{
    const int n = c->meet.announced++;

    return c->settings.style == HITOP_STYLE_AUTO &&
           (!c->meet.pays || c->meet.was_even || n < JUDGED || n % JUDGED == 0);
}

double bcast_patience(const struct hitop_comm *c, int is_judged)
{
    return (is_judged && c->meet.waits < judging ? judging : c->meet.waits) * c->meet.patience;
}

void bcast_learn(struct hitop_comm *c, double late)
{
    const double part = late / ((c->wait.alone ? much : much_shared) * c->meet.patience);
    const double mean = 1.0 / (3 + c->meet.judged++); /* of these and a first guess */
    const double least = part > c->meet.score ? late_weight : even_weight;
    const double weight = mean > least ? mean : least;

    c->meet.score += weight * ((part < 1 ? part : 1) - c->meet.score);
    c->meet.score = c->meet.score < most ? c->meet.score : most;
    c->meet.was_even = part < little;
    c->meet.pays = c->meet.score > (c->meet.pays ? little : enough);
    if (c->meet.score > little) {
        c->meet.look_after = LOOK_SOON;
    }
}

/* Two in a row: the second one hears who came late to the first. */
static int is_time_to_look(struct hitop_comm *c)
{
    struct meet *m = &c->meet;
    const double span = (c->wait.alone ? rare : rare_shared) * m->patience;

    m->quiet++;
    if (m->quiet < m->look_after && PMPI_Wtime() - m->looked > span) {
        m->quiet = m->look_after;
    }
    if (m->quiet < m->look_after) {
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
    if (leaders(c) != HITOP_LEADERS_CHANGE) {
        return c->meet.announces;
    }
    return c->nnodes <= MEET_NODES && (c->meet.pays || is_time_to_look(c));
}

int bcast_between(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    int code = serve_nodes_begin(c);

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (c->rank == b->root) {
        c->meet.next = decide_next(c);
    }
    code = !c->meet.announces                      ? bcast_fixed(b)
           : leaders(c) == HITOP_LEADERS_DIRECTORY ? bcast_directory(b)
                                                   : bcast_announced(b);
    if (c->meet.announces) {
        c->meet.looked = PMPI_Wtime();
    }
    c->meet.announces = c->meet.next;
    return code;
}

void bcast_write_header(const struct bcast *b, struct header *h)
{
    const struct hitop_comm *c = b->c;
    const struct hitop_route_choice choice =
        hitop_route_choose(c->route, c->node_of[b->root], b->bytes);

    h->seq = c->seq;
    h->total = b->bytes;
    h->way = (uint16_t)hitop_style_way((enum hitop_style)c->settings.style, c->nnodes, b->bytes);
    h->segment = h->way == HITOP_BY_MODEL ? (uint32_t)choice.segment : HITOP_ROUTE_SEGMENT;
    h->builder =
        (uint16_t)(h->way == HITOP_BY_MODEL ? choice.algorithm : hitop_route_named("binomial"));
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

/* Where leaders are fixed everybody knows the tree by its builder. */
static int serve_tree(struct bcast *b, struct header *h, struct relay *r)
{
    struct hitop_comm *c = b->c;
    const struct hitop_tree *tree =
        hitop_route_tree(c->route, h->builder, c->node_of[b->root], (size_t)h->total);
    const int *children;
    int nchildren, code = MPI_SUCCESS;

    if (!tree) {
        hitop_trouble_abort(c->wire, "out of memory for a tree of nodes");
        return MPI_ERR_NO_MEM;
    }
    children = hitop_tree_children(tree, c->node, &nchildren);
    for (int i = 0; i < nchildren && code == MPI_SUCCESS; i++) {
        code =
            bcast_serve_rank(c, h, header_bytes(h), hitop_comm_leader(c, children[i], b->root), r);
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

/* Along a tree: the whole message, or its segments as they come. */
static int pass_on(struct bcast *b, struct header *h, unsigned char *room, int from)
{
    const int whole = (h->flags & HEADER_WHOLE) != 0;
    struct relay r;
    int code = relay_open(&r, b->c, room, b->total, h->segment, whole ? MPI_PROC_NULL : from);

    if (code == MPI_SUCCESS) {
        code = b->c->meet.announces ? serve_named(b, h, &r) : serve_tree(b, h, &r);
    }
    if (code == MPI_SUCCESS) {
        if (whole) {
            memcpy(room, header_data(h), b->total);
        }
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

    /* whoever has the header publishes, and nobody else of its node */
    assert(b->c->nlocal == 1 || !hitop_node_is_published(&b->c->shared));
    if (b->c->meet.announces && b->c->nlocal > 1) {
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
    } else {
        code = pass_on(b, h, room, from);
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
