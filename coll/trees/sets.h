/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SETS_H
#define SETS_H

/*
 * sets.h - put the ranks into a line in which ranks with the same price are adjacent.
 *
 * A cost has nested sets of ranks, and a kind for each rank (struct hitop_cost). The line is sorted
 * by kind, then set by set; so the ranks of one kind in one set are an interval of the line, a
 * piece. A ring around a rank has the ranks of one kind in one set around that rank that are not in
 * the next smaller one. All ranks of a ring have the same price, and a rank has at most as many
 * rings as sets around it times kinds.
 *
 *         sets        [ [0 1] [2 3 4] ]         one kind: the line is 0 1 2 3 4
 *         rings of 3  (2 4), (0 1)              each needs one price
 */

#include "hitop/tree.h"

/* The ranks of one kind in one set: line[begin] .. line[end - 1]. */
struct piece {
    int kind;
    int begin, end;
};

struct sets {
    int size;       /* number of ranks in the tree: 0 .. size - 1 */
    int nsets;      /* sets 0 .. size - 1 are single ranks */
    int *enclosing; /* [nsets] the next larger set, or -1 */
    int *line;      /* [size] ranks */
    int *place;     /* [size] the place of each rank in line[] */
    int *innermost; /* [size] the piece of set enclosing[rank] that contains the rank */
    int *first;     /* [nsets + 1] set s has piece[first[s]] .. piece[first[s + 1] - 1], by kind */
    struct piece *piece;
};

/*
 * Arrange the ranks of `args` by the sets and kinds of args->cost. Where `args` has counts, ranks
 * with blocks of different sizes have different kinds. Release with hitop_sets_fini(), also after
 * a failure. Takes O(size depth) and O(size log size).
 */
enum hitop_status hitop_sets_init(struct sets *sets, const struct hitop_tree_args *args,
                                  struct hitop_diag *diag);
void hitop_sets_fini(struct sets *sets);

/*
 * The ranks of one kind in a ring: two intervals of the line, begin .. hole_begin - 1 and hole_end
 * .. end - 1.
 */
struct ring {
    int begin, hole_begin, hole_end, end;
    int inner; /* the ring is outside this set, which is the hole */
    int outer; /* a piece of the next larger set */
    int same;  /* the first piece of the inner set whose kind is not lower than that of outer */
};

/* The position before the first ring around a rank, for hitop_ring_next(). */
struct ring hitop_rings_of(const struct sets *sets, int rank);

/* Advance to the next ring outwards, which may be empty; 0 when there is none. */
int hitop_ring_next(const struct sets *sets, struct ring *ring);

/* The ring around a rank whose outer piece, as found by hitop_ring_next(), is `outer`. */
struct ring hitop_ring_in(const struct sets *sets, int rank, int outer);

/* The number of ranks of a ring. */
static inline int ring_count(const struct ring *ring)
{
    return ring->hole_begin - ring->begin + ring->end - ring->hole_end;
}

#endif /* SETS_H */
