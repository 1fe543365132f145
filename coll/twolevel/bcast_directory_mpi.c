/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_directory_mpi.c - a broadcast over several nodes as in the paper, whoever comes first
 * leading his node.
 *
 * Idea:   the way of the message is fixed by the numbers of nodes, not by who is there. In the
 *         paper a node is one process with an address; here its first process tells the root that
 *         it leads, and the root tells those who have to send to that node. Of a binomial tree
 *         these are the nodes above it, which wait for whom they have to serve; of pieces that are
 *         scattered and exchanged all nodes, so that the root waits for all and sends the list with
 *         the header.
 * Cost:   that of the paper's broadcasts, and a short message before or two.
 * Use:    to be compared with; bcast_announced_mpi.c waits for nobody.
 * Needs:  nodes of a number that one process can hear of (MEET_NODES).
 * Source: the CP ("competitive and pipelined") broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011).
 */
#include <config.h>

#include "coll/twolevel/meet_mpi.h"
#include "coll/twolevel/scattered_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"

/*
 * The root hears of all leaders, in the order of nodes, and shares the message with its own node
 * meanwhile.
 */
static int hear_of_all(struct hitop_comm *c, struct scattered *s, struct hitop_branch *list)
{
    int code = MPI_SUCCESS, unknown = c->nnodes - 1;
    unsigned round = 0;

    watchdog_awaits(c, hitop_bcast_tell_unknown, &unknown);
    list[c->node] = (struct hitop_branch){.rank = c->rank};
    while (unknown > 0 && code == MPI_SUCCESS) {
        struct meet_ready ready;
        int moved = 0;

        code = hitop_meet_take(c, &ready, &moved);
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
    struct hitop_branch list[MEET_NODES];
    struct scattered s;
    int code = hitop_scattered_open(&s, b, h, b->data);

    if (code == MPI_SUCCESS) {
        code = hear_of_all(b->c, &s, list);
    }
    if (code == MPI_SUCCESS) {
        (void)hitop_header_fill(h, list, b->c->nnodes, b->data);
        code = hitop_scattered_run(&s);
    }
    hitop_scattered_close(&s);
    return code;
}

int hitop_bcast_directory(struct bcast *b)
{
    struct hitop_comm *c = b->c;
    struct header h;
    int from, code;

    if (c->rank == b->root) {
        hitop_bcast_write_header(b, &h);
        (void)hitop_header_fill(&h, NULL, 0, b->data);
        return header_is_scattered(&h) ? scatter_to_all(b, &h)
                                       : hitop_bcast_directory_tree(b, &h, b->data, MPI_PROC_NULL);
    }
    if (c->node == c->node_of[b->root] || (c->nlocal > 1 && !hitop_node_claim(&c->shared))) {
        b->total = hitop_node_read(&c->shared, b->data, b->bytes, &c->meet.next);
        return MPI_SUCCESS;
    }
    c->stats.elections++;
    code = hitop_meet_tell(c, b->root, c->rank, 0);
    if (code == MPI_SUCCESS) {
        watchdog_awaits(c, hitop_bcast_tell_no_header, b);
        code = hitop_header_await(c, &h, &from);
    }
    return code == MPI_SUCCESS ? hitop_bcast_obey(b, &h, from) : code;
}
