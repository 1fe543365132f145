/* SPDX-License-Identifier: BSD-3-Clause */
/* rings.c - walk outwards from a set, kind by kind. */
#include <config.h>

#include "coll/trees/sets.h"

/* Stand before the first piece of the set around ring->inner. */
static void enter(const struct sets *sets, struct ring *ring)
{
    const int around = sets->around[ring->inner];

    ring->outer = around >= 0 ? sets->first[around] - 1 : 0;
    ring->same = sets->first[ring->inner];
}

struct ring hitop_rings_around(const struct sets *sets, int rank)
{
    struct ring ring = {.inner = rank};

    enter(sets, &ring);
    return ring;
}

/* The outer piece without what the inner set has of it. */
static void cut_hole(const struct sets *sets, struct ring *ring)
{
    const struct piece *outer = &sets->piece[ring->outer], *same = &sets->piece[ring->same];
    const int is_there = ring->same < sets->first[ring->inner + 1] && same->kind == outer->kind;

    ring->begin = outer->begin;
    ring->hole_begin = is_there ? same->begin : outer->begin;
    ring->hole_end = is_there ? same->end : outer->begin;
    ring->end = outer->end;
}

int hitop_ring_next(const struct sets *sets, struct ring *ring)
{
    const struct piece *piece = sets->piece;

    while (sets->around[ring->inner] >= 0 &&
           ring->outer + 1 == sets->first[sets->around[ring->inner] + 1]) {
        ring->inner = sets->around[ring->inner];
        enter(sets, ring);
    }
    if (sets->around[ring->inner] < 0) {
        return 0;
    }
    ring->outer++;
    while (ring->same < sets->first[ring->inner + 1] &&
           piece[ring->same].kind < piece[ring->outer].kind) {
        ring->same++;
    }
    cut_hole(sets, ring);
    return 1;
}

struct ring hitop_ring_in(const struct sets *sets, int rank, int outer)
{
    struct ring ring = {.inner = rank, .outer = outer};
    int low, high;

    while (outer >= sets->first[sets->around[ring.inner] + 1]) {
        ring.inner = sets->around[ring.inner];
    }
    low = sets->first[ring.inner];
    for (high = sets->first[ring.inner + 1]; low < high;) {
        const int middle = low + (high - low) / 2;
        if (sets->piece[middle].kind < sets->piece[outer].kind) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    ring.same = low;
    cut_hole(sets, &ring);
    return ring;
}
