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
#include "coll/twolevel/meet_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"

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
static int bcast_fixed(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct header h;
    int from = MPI_PROC_NULL, code = MPI_SUCCESS;

    if (c->rank != hitop_comm_leader(c, c->node, b->root)) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
        return MPI_SUCCESS;
    }
    if (c->rank == b->root) {
        hitop_bcast_write_header(b, &h); /* it obeys itself */
        (void)hitop_header_fill(&h, NULL, 0, b->data);
    } else {
        watchdog_awaits(c, hitop_bcast_tell_no_header, b);
        code = hitop_header_await(c, &h, &from);
    }
    return code == MPI_SUCCESS ? hitop_bcast_obey(b, &h, from) : code;
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
    code = !c->meet.announces                            ? bcast_fixed(b)
           : bcast_leaders(c) == HITOP_LEADERS_DIRECTORY ? hitop_bcast_directory(b)
                                                         : hitop_bcast_announced(b);
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
