/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange_ring.c - pieces go round.
 *
 * Idea:   each node hands to the next one what it has got last, beginning with its own piece.
 * Cost:   with scattering (log2 n + n - 1) latencies, and the bytes of the message twice at the root's line.
 * Use:    any number of nodes; long messages, as all lines are busy with neighbours only.
 * Source: Thakur et al., Int. J. High Performance Computing Applications 19 (2005); RingAAS of Liu, Song et al.,
 *         Journal of Software 22 (2011).
 */
#include <config.h>

#include "coll/twolevel/exchange.h"

static int nsteps(int n)
{
    return n - 1;
}

static void step(int n, int node, int i, struct hitop_exchange_step *out)
{
    const int left = (node - 1 + n) % n, right = (node + 1) % n;
    const struct hitop_block get = {(node - 1 - i + n) % n, 1}, put = {(node - i + n) % n, 1};

    *out = (struct hitop_exchange_step){.from = left,
                                        .to = right,
                                        .get = hitop_exchange_unless_there(n, node, get),
                                        .put = hitop_exchange_unless_there(n, right, put)};
}

const struct hitop_exchange hitop_exchange_ring = {.name = "ring", .nsteps = nsteps, .step = step};
