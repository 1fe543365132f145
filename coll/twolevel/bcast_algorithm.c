/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_algorithm.c - algorithms of broadcasts, the tree that scatters pieces, and exchanges of
 * pieces.
 */
#include <config.h>

#include "coll/twolevel/bcast_algorithm.h"

#include "coll/node/thresholds.h"

#include <limits.h>

/* Number of nodes of the complete binomial tree below `node`, itself included. */
static int reach(int n, int node)
{
    int low = 1;

    while (node > 0 ? !(node & low) : low < n) {
        low <<= 1;
    }
    return low;
}

struct hitop_block hitop_scatter_block(int n, int node)
{
    const int low = reach(n, node);

    return (struct hitop_block){.first = node, .count = low < n - node ? low : n - node};
}

int hitop_scatter_parent(int node)
{
    return node > 0 ? node & (node - 1) : -1;
}

int hitop_scatter_children(int n, int node, int *children)
{
    int nchildren = 0;

    for (int half = reach(n, node) >> 1; half > 0; half >>= 1) {
        if (half < n - node) {
            children[nchildren++] = node + half;
        }
    }
    return nchildren;
}

/* `pieces`, or none if the node has them from scattering. */
static struct hitop_block hitop_exchange_unless_there(int n, int node, struct hitop_block pieces)
{
    const struct hitop_block there = hitop_scatter_block(n, node);

    if (pieces.first >= there.first && pieces.first + pieces.count <= there.first + there.count) {
        pieces.count = 0;
    }
    return pieces;
}

/*
 * Recursive doubling: partners swap all that they have; their distance doubles in each step.
 *
 * Idea:   In step i nodes whose numbers differ in bit i swap the 2^i pieces that they have by then.
 * Cost:   With scattering 2 log2 n latencies; the bytes of the message twice on the root's link.
 * Needs:  A number of nodes that is a power of two.
 * Source: Thakur et al., Int. J. High Performance Computing Applications 19 (2005).
 */

static int doubling_nsteps(int n)
{
    int steps = 0;

    while (n > 1 && n % 2 == 0) {
        n /= 2;
        steps++;
    }
    return n == 1 ? steps : 0;
}

static void doubling_step(int n, int node, int i, struct hitop_exchange_step *out)
{
    const int count = 1 << i, partner = node ^ count;
    const struct hitop_block get = {partner & -count, count}, put = {node & -count, count};

    *out = (struct hitop_exchange_step){.from = partner,
                                        .to = partner,
                                        .get = hitop_exchange_unless_there(n, node, get),
                                        .put = hitop_exchange_unless_there(n, partner, put)};
}

const struct hitop_exchange hitop_exchange_doubling = {
    .name = "doubling", .nsteps = doubling_nsteps, .step = doubling_step};

/*
 * A ring of pieces.
 *
 * Idea:   Each node sends to the next one what it received last, beginning with its own piece.
 * Cost:   With scattering log2 n + n - 1 latencies; the bytes twice on the root's link.
 * Use:    Any number of nodes; long messages, because every link carries messages of neighbours
 *         only.
 * Source: Thakur et al., Int. J. High Performance Computing Applications 19 (2005).
 */

static int ring_nsteps(int n)
{
    return n - 1;
}

static void ring_step(int n, int node, int i, struct hitop_exchange_step *out)
{
    const int left = (node - 1 + n) % n, right = (node + 1) % n;
    const struct hitop_block get = {(node - 1 - i + n) % n, 1}, put = {(node - i + n) % n, 1};

    *out = (struct hitop_exchange_step){.from = left,
                                        .to = right,
                                        .get = hitop_exchange_unless_there(n, node, get),
                                        .put = hitop_exchange_unless_there(n, right, put)};
}

const struct hitop_exchange hitop_exchange_ring = {
    .name = "ring", .nsteps = ring_nsteps, .step = ring_step};

_Static_assert((int)HITOP_NODES_MOST <= (int)PACKED_CHILDREN + 1,
               "a root has room for its children");

static int is_flat(int nnodes)
{
    return nnodes <= HITOP_NODES_MOST;
}

int hitop_packed_tree_parent(int nnodes, int place)
{
    return is_flat(nnodes) ? 0 : hitop_scatter_parent(place);
}

int hitop_packed_tree_children(int nnodes, int place, int *children)
{
    if (!is_flat(nnodes)) {
        return hitop_scatter_children(nnodes, place, children);
    }
    for (int i = 1; place == 0 && i < nnodes; i++) {
        children[i - 1] = i;
    }
    return place == 0 ? nnodes - 1 : 0;
}

int hitop_packed_tree_end(int nnodes, int place)
{
    const struct hitop_block branch = hitop_scatter_block(nnodes, place);

    return place == 0 ? nnodes : is_flat(nnodes) ? place + 1 : branch.first + branch.count;
}

#define ROW(id, name, leads, goes) {HITOP_LEADERS_##leads, HITOP_BY_##goes},
static const struct {
    enum hitop_bcast_leaders leaders;
    enum hitop_bcast_pattern pattern;
} rows[] = {HITOP_BCAST_ALGORITHMS(ROW)};

enum hitop_bcast_leaders hitop_bcast_leaders(enum hitop_bcast_algorithm algorithm)
{
    return rows[algorithm].leaders;
}

const struct hitop_exchange *hitop_bcast_exchange(enum hitop_bcast_pattern pattern)
{
    static const struct hitop_exchange *const exchanges[] = {
        [HITOP_BY_DOUBLING] = &hitop_exchange_doubling, [HITOP_BY_RING] = &hitop_exchange_ring};

    return exchanges[pattern];
}

enum hitop_bcast_pattern hitop_bcast_pattern(enum hitop_bcast_algorithm algorithm, int nnodes,
                                             size_t bytes)
{
    const enum hitop_bcast_pattern pattern = rows[algorithm].pattern;

    if (!hitop_bcast_exchange(pattern)) {
        return pattern;
    }
    if (bytes < HITOP_SCATTER_FROM || bytes > INT_MAX || nnodes < 2) {
        return HITOP_BY_BINOMIAL;
    }
    return pattern == HITOP_BY_DOUBLING && hitop_exchange_doubling.nsteps(nnodes) == 0
               ? HITOP_BY_RING
               : pattern;
}
