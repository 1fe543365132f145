/* SPDX-License-Identifier: BSD-3-Clause */
/* sets.c - arrange ranks by kind, then set by set, and find rings. */
#include <config.h>

#include "coll/trees/sets.h"

#include "coll/trees/blocks.h"

#include <assert.h>
#include <stdlib.h>

/* Ranks of one set with equal labels are alike. */
struct label {
    int kind;
    size_t block;
    int at; /* place if all ranks had the same kind */
};

static int compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}

static int are_alike(const struct label *x, const struct label *y)
{
    return x->kind == y->kind && x->block == y->block;
}

static int kind_of(const struct hitop_cost *cost, int rank)
{
    if (cost->kind) {
        return cost->kind(cost->self, rank);
    }
    return cost->enclosing ? 0 : rank;
}

/*
 * Find the next larger set of each set. Sets of the cost's ranks beyond `size` stay empty. A cost
 * without sets has one set of all ranks.
 */
static void find_enclosing(struct sets *sets, const struct hitop_cost *cost)
{
    const int nranks = cost->nranks;

    for (int s = 0; s < sets->nsets; s++) {
        /* the cost's ranks beyond `size` have no number here */
        const int set = s < sets->size ? s : s - sets->size + nranks;
        const int up = cost->enclosing ? cost->enclosing(cost->self, set)
                       : set < nranks  ? nranks
                                       : -1;
        sets->enclosing[s] = up < 0 ? -1 : up - nranks + sets->size;
        assert(up < 0 || sets->enclosing[s] > s);
    }
}

/*
 * Order the ranks set by set; within a set, its inner sets and ranks by number. count[] is zero on
 * entry; first it holds the number of ranks of each set, then the end of the places of the set
 * that are still free.
 */
static void arrange(const struct sets *sets, int *by_set, int *count)
{
    for (int s = 0; s < sets->nsets; s++) {
        count[s] += s < sets->size;
        if (sets->enclosing[s] >= 0) {
            count[sets->enclosing[s]] += count[s];
        }
    }
    for (int s = sets->nsets - 1; s >= 0; s--) {
        const int up = sets->enclosing[s], n = count[s];
        if (up >= 0) {
            count[s] = count[up];
            count[up] -= n;
        }
        if (s < sets->size) {
            by_set[count[s] - 1] = s;
        }
    }
}

/* Put the ranks into the line by their labels, and number the kinds 0, 1, ... in this order. */
static int line_up(struct sets *sets, const struct hitop_tree_args *args, const int *by_set,
                   int *kind)
{
    struct label *label = calloc((size_t)sets->size, sizeof(*label));
    int is_one = 1;

    if (!label) {
        return 0;
    }
    for (int i = 0; i < sets->size; i++) {
        label[i] = (struct label){kind_of(args->cost, by_set[i]), block_of(args, by_set[i]), i};
        is_one = is_one && are_alike(&label[i], &label[0]);
    }
    if (!is_one) {
        qsort(label, (size_t)sets->size, sizeof(*label), compare);
    }
    for (int i = 0, n = 0; i < sets->size; i++) {
        n += i > 0 && !are_alike(&label[i], &label[i - 1]);
        sets->line[i] = by_set[label[i].at];
        sets->place[sets->line[i]] = i;
        kind[sets->line[i]] = n;
    }
    free(label);
    return 1;
}

/*
 * Count the pieces of each set along the line: first[s + 1] counts those of set s, and becomes an
 * offset at the end; last[s] is the kind of the last piece of set s.
 */
static void count_pieces(struct sets *sets, const int *kind, int *last)
{
    for (int s = 0; s < sets->nsets; s++) {
        last[s] = -1;
    }
    for (int i = 0; i < sets->size; i++) {
        for (int s = sets->line[i]; s >= 0 && last[s] != kind[sets->line[i]];
             s = sets->enclosing[s]) {
            last[s] = kind[sets->line[i]];
            sets->first[s + 1]++;
        }
    }
    for (int s = 0; s < sets->nsets; s++) {
        sets->first[s + 1] += sets->first[s];
    }
}

/* Fill in the pieces along the line; last[s] is the last piece of set s. */
static void fill_pieces(struct sets *sets, const int *kind, int *last)
{
    for (int s = 0; s < sets->nsets; s++) {
        last[s] = sets->first[s] - 1;
    }
    for (int i = 0; i < sets->size; i++) {
        const int rank = sets->line[i];
        for (int s = rank; s >= 0; s = sets->enclosing[s]) {
            if (last[s] < sets->first[s] || sets->piece[last[s]].kind != kind[rank]) {
                sets->piece[++last[s]] = (struct piece){kind[rank], i, i};
            }
            sets->piece[last[s]].end = i + 1;
        }
        sets->innermost[rank] = last[sets->enclosing[rank]];
    }
}

static int fill(struct sets *sets, const struct hitop_tree_args *args, int *by_set, int *kind,
                int *last)
{
    find_enclosing(sets, args->cost);
    arrange(sets, by_set, last);
    if (!line_up(sets, args, by_set, kind)) {
        return 0;
    }
    count_pieces(sets, kind, last);
    sets->piece = calloc((size_t)sets->first[sets->nsets], sizeof(*sets->piece));
    if (!sets->piece) {
        return 0;
    }
    fill_pieces(sets, kind, last);
    return 1;
}

enum hitop_status hitop_sets_init(struct sets *sets, const struct hitop_tree_args *args,
                                  struct hitop_diag *diag)
{
    const struct hitop_cost *cost = args->cost;
    const int outer = cost->enclosing ? cost->nsets - cost->nranks : 1;
    const size_t n = (size_t)args->size, all = n + (size_t)outer;
    int *by_set = calloc(n, sizeof(int)), *kind = calloc(n, sizeof(int));
    int *last = calloc(all, sizeof(int));
    int is_done;

    *sets = (struct sets){.size = args->size,
                          .nsets = (int)all,
                          .enclosing = calloc(all, sizeof(int)),
                          .line = calloc(n, sizeof(int)),
                          .place = calloc(n, sizeof(int)),
                          .innermost = calloc(n, sizeof(int)),
                          .first = calloc(all + 1, sizeof(int))};
    is_done = by_set && kind && last && sets->enclosing && sets->line && sets->place &&
              sets->innermost && sets->first && fill(sets, args, by_set, kind, last);
    free(last);
    free(kind);
    free(by_set);
    return is_done ? HITOP_OK
                   : hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %zu ranks: out of memory", n);
}

void hitop_sets_fini(struct sets *sets)
{
    free(sets->piece);
    free(sets->first);
    free(sets->innermost);
    free(sets->place);
    free(sets->line);
    free(sets->enclosing);
}

/* ---- Rings ---- */

/* Move to the position before the first piece of the set around ring->inner. */
static void enter(const struct sets *sets, struct ring *ring)
{
    const int enclosing = sets->enclosing[ring->inner];

    ring->outer = enclosing >= 0 ? sets->first[enclosing] - 1 : 0;
    ring->same = sets->first[ring->inner];
}

struct ring hitop_rings_of(const struct sets *sets, int rank)
{
    struct ring ring = {.inner = rank};

    enter(sets, &ring);
    return ring;
}

/* Set the ring to the outer piece without the ranks of the inner set. */
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

    while (sets->enclosing[ring->inner] >= 0 &&
           ring->outer + 1 == sets->first[sets->enclosing[ring->inner] + 1]) {
        ring->inner = sets->enclosing[ring->inner];
        enter(sets, ring);
    }
    if (sets->enclosing[ring->inner] < 0) {
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

    while (outer >= sets->first[sets->enclosing[ring.inner] + 1]) {
        ring.inner = sets->enclosing[ring.inner];
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
