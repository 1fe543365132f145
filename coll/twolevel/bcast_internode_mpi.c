/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_internode_mpi.c - run a broadcast over several nodes; decide when leaders announce
 * themselves (bcast_choice.c chooses the tree and the segment size).
 *
 * An announcement costs a short message before the data. It pays where a node would wait longer
 * than that for its default leader. The root judges this in operations in which leaders announce
 * themselves (arrivals.h): a node is late if its message waited for the default leader, or if the
 * node is missing and other nodes may be below it. The root waits longer in an operation that it
 * judges, because a process that shares its processor is always a little late.
 *
 * Source: the broadcasts P (default leaders) and CP (dynamic leaders) of Liu, Song et al., Journal
 * of Software 22 (2011); here the root chooses one of the two.
 */
#include <config.h>

#include "coll/runtime/yields_mpi.h"
#include "coll/twolevel/bcast_internode.h"
#include "coll/twolevel/serve_mpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Seconds from one look to the next, as a multiple of the patience. A look costs about a hundredth
 * of that time unless a rank is late. Where ranks share processors it may cost only about a
 * thousandth, because a waiting rank takes time slices from others.
 */
static const double rare = 200, rare_shared = 6400;

void hitop_bcast_begin(struct hitop_comm *c)
{
    hitop_announcements_expect(c, 2 * hitop_internode_latency(c->choices, 1));
    hitop_arrivals_begin(&c->dynamic.arrivals);
    c->dynamic.announces = bcast_leaders(c) != HITOP_LEADERS_FIXED && c->nnodes <= DYNAMIC_NODES;
}

/* With two processes, each alone on its node, no other rank waits for a default leader. */
static int can_learn(const struct hitop_comm *c)
{
    return c->nnodes > 2 || c->size > c->nnodes;
}

/* Root: shall leaders announce themselves in the next operation? */
static int decide_next(struct hitop_comm *c)
{
    const double span = (c->wait.alone ? rare : rare_shared) * c->dynamic.patience;
    struct arrivals *a = &c->dynamic.arrivals;

    if (bcast_leaders(c) != HITOP_LEADERS_CHANGE) {
        return c->dynamic.announces;
    }
    hitop_arrivals_compare(a, c->dynamic.announces, 2 * c->dynamic.patience);
    return c->nnodes <= DYNAMIC_NODES && can_learn(c) &&
           hitop_arrivals_shall_announce(a, arrivals_needs_time(a) ? PMPI_Wtime() : a->last_look,
                                         span);
}

/* Send the header to the ranks in its list. */
static int serve_named(struct bcast *b, const struct header *h, struct relay *r)
{
    struct header on;

    memcpy(&on, h, offsetof(struct header, rest));
    return hitop_header_serve_list(b->c, &on, header_list(h), h->nbranch, header_data(h), r);
}

/* Serve the children in the tree, and record them for the next broadcast. */
static int serve_children(struct bcast *b, struct header *h, struct relay *r)
{
    struct hitop_comm *c = b->c;
    struct bcast_last *last = &c->last;
    const struct hitop_tree *tree =
        hitop_bcast_choice_tree(c->choices, h->builder, c->node_of[b->root], (size_t)h->total);
    const int *children;
    int nchildren, code = MPI_SUCCESS;

    if (!tree) {
        hitop_failure_abort(c->wire, "out of memory for a tree of nodes");
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
    if (code == MPI_SUCCESS && nchildren <= BCAST_LAST_CHILDREN) { /* the record has all children */
        last->builder = h->builder;
        last->nchildren = (int8_t)nchildren;
    }
    return code;
}

/* Serve the children with default leaders: the recorded ones if the record is of the same tree. */
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

/*
 * If this rank expects fewer bytes than the root sends, use other memory, so that the other ranks
 * of the node still get the whole message.
 */
static unsigned char *buffer_for(struct bcast *b)
{
    return b->total > b->bytes ? hitop_comm_memory(b->c, b->total) : b->data;
}

/* Serve the ranks below this one in the tree; `r` sends the segments. */
static int serve_below(struct bcast *b, struct header *h, struct relay *r)
{
    return b->c->dynamic.announces ? serve_named(b, h, r) : serve_tree(b, h, r);
}

/* For the watchdog. */
static void print_no_buffer(const void *bcast, FILE *line)
{
    const struct bcast *b = bcast;

    fprintf(line, "others of this node are many operations behind, and %zu bytes have no room",
            b->total);
}

/*
 * Forward a message whose header contains all data, along a tree. This node comes first, because
 * sending takes longer.
 */
static int pass_whole(struct bcast *b, struct header *h, unsigned char *buffer)
{
    struct hitop_comm *c = b->c;
    struct hitop_node_writer share;
    unsigned round = 0;
    int is_shared, code;

    if (c->rank != b->root) {
        memcpy(buffer, header_data(h), b->total);
    }
    hitop_node_open(&share, b->total, c->dynamic.next);
    is_shared = c->nlocal == 1 || hitop_node_write(&c->shared, &share, buffer, b->total) > 0;
    code = serve_below(b, h, NULL);
    watchdog_awaits(c, print_no_buffer, b);
    while (!is_shared && code == MPI_SUCCESS) {
        hitop_wait_relax(&c->wait, &round);
        is_shared = hitop_node_write(&c->shared, &share, buffer, b->total) > 0;
    }
    return code;
}

/* Forward a message along a tree, in segments as they arrive. */
static int pass_segments(struct bcast *b, struct header *h, unsigned char *buffer)
{
    struct relay r;
    int code;

    hitop_relay_open(&r, b->c, buffer, b->total, h->segment, b->from);
    code = serve_below(b, h, &r);
    if (code == MPI_SUCCESS) {
        code = hitop_relay_run(&r);
    }
    hitop_relay_close(&r);
    return code;
}

/* Receive and exchange a message in pieces. */
static int exchange(const struct bcast *b, const struct header *h, unsigned char *buffer)
{
    struct scattered s;
    int code;

    hitop_scattered_open(&s, b, h, buffer);
    code = hitop_scattered_run(&s);
    hitop_scattered_close(&s);
    return code;
}

/*
 * Do this node's part for a header: pass on the data, at once or in segments, to the ranks that it
 * serves.
 */
static int forward(struct bcast *b, struct header *h)
{
    unsigned char *buffer;
    int code;

    if (b->c->dynamic.announces && b->c->nlocal > 1) {
        /* only the rank that has the header publishes on its node */
        assert(!hitop_node_is_published(&b->c->shared));
        hitop_node_stamp(&b->c->shared);
    }
    b->total = (size_t)h->total;
    b->c->dynamic.next = (h->flags & HEADER_ANNOUNCES) != 0;
    buffer = buffer_for(b);
    if (header_is_scattered(h)) {
        code = exchange(b, h, buffer);
    } else if (b->c->dynamic.announces && bcast_leaders(b->c) == HITOP_LEADERS_LISTED) {
        code = hitop_bcast_listed_tree(b, h, buffer);
    } else if (h->flags & HEADER_WHOLE) {
        code = pass_whole(b, h, buffer);
    } else {
        code = pass_segments(b, h, buffer);
    }
    if (buffer != b->data) {
        memcpy(b->data, buffer, b->bytes);
        free(buffer);
    }
    return code;
}

/*
 * A broadcast over several nodes with default leaders.
 *
 * Idea:   The root and the first rank of every other node forward the message down a tree of nodes,
 *         in segments. Each of them writes the segments into its node's shared memory as they
 *         arrive, and the other ranks copy them out. For any placement of the
 *         ranks a slow link is crossed at most once per node, and copying on a node overlaps with
 *         the network.
 * Cost:   The cost of the tree of nodes (hitop/predict.h), plus one copy on the last node.
 * Source: the P ("pipelined") broadcasts of Liu, Song et al., Journal of Software 22 (2011), on
 *         MPIActor; van de Geijn's segmentation.
 */
static int bcast_fixed(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;

    if (c->rank != hitop_comm_leader(c, c->node, b->root)) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->dynamic.next);
        return MPI_SUCCESS;
    }
    if (c->rank != b->root) {
        return hitop_header_await(b, h);
    }
    hitop_header_write(b, h); /* the root forwards its own header */
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

    if (c->dynamic.announces) {
        c->dynamic.arrivals.last_look = PMPI_Wtime();
    }
    if (c->rank == b->root) {
        c->dynamic.next = decide_next(c);
    }
    code = !c->dynamic.announces                      ? bcast_fixed(b, &h)
           : bcast_leaders(c) == HITOP_LEADERS_LISTED ? hitop_bcast_listed(b, &h)
                                                      : hitop_bcast_dynamic(b, &h);
    if (code == MPI_SUCCESS && b->has_header) {
        code = forward(b, &h);
    }
    c->dynamic.announces = c->dynamic.next;
    return code;
}

int hitop_bcast_internode(struct bcast *b)
{
    int code = hitop_serve_nodes_begin(b->c);

    if (code == MPI_SUCCESS) {
        const int held = hitop_mpi_hold_yields();
        code = run(b);
        hitop_mpi_release_yields(held);
    }
    return code;
}
