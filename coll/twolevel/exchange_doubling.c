/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange_doubling.c - partners swap all that they have, at twice the distance each time.
 *
 * Idea:   in step i the nodes whose numbers differ in bit i swap the blocks of 2^i pieces that they have by then.
 * Cost:   with scattering 2 log2 n latencies, and the bytes of the message twice at the root's line.
 * Needs:  a number of nodes that is a power of two.
 * Source: Thakur et al., Int. J. High Performance Computing Applications 19 (2005); RDAAS of Liu, Song et al., Journal
 *         of Software 22 (2011).
 */
#include <config.h>

#include "coll/twolevel/exchange.h"

static int nsteps(int n)
{
    int steps = 0;

    while (n > 1 && n % 2 == 0) {
        n /= 2;
        steps++;
    }
    return n == 1 ? steps : 0;
}

static void step(int n, int node, int i, struct hitop_exchange_step *out)
{
    const int count = 1 << i, partner = node ^ count;
    const struct hitop_block get = {partner & -count, count}, put = {node & -count, count};

    *out = (struct hitop_exchange_step){.from = partner,
                                        .to = partner,
                                        .get = hitop_exchange_unless_there(n, node, get),
                                        .put = hitop_exchange_unless_there(n, partner, put)};
}

const struct hitop_exchange hitop_exchange_doubling = {
    .name = "doubling", .nsteps = nsteps, .step = step};
