/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SETS_H
#define SETS_H

/*
 * sets.h - the ranks in a line, such that those of one price lie side by side.
 *
 * A cost has sets of ranks within sets, and a kind of each rank (struct hitop_cost). In the line,
 * ranks come by kind, those of one kind set by set; so the ranks of one kind in one set are an
 * interval of it, a piece. Around a rank lie rings: the ranks of a set that are not in the next
 * smaller set around that rank. All of one kind in a ring have one price, and there are no more
 * rings than sets around it times kinds.
 *
 *         sets        [ [0 1] [2 3 4] ]         one kind: the line is 0 1 2 3 4
 *         rings of 3  (2 4), (0 1)              each asks for one price
 */

#include "hitop/tree.h"

/* The ranks of one kind in one set: line[begin] .. line[end - 1]. */
struct piece {
    int kind;
    int begin, end;
};

struct sets {
    int size;    /* ranks 0..size-1, those that are to be in the tree */
    int nsets;   /* 0..size-1 are the ranks alone */
    int *around; /* [nsets] the next larger set, or -1 */
    int *line;   /* [size] ranks */
    int *place;  /* [size] where each of them stands in line */
    int *home;   /* [size] a piece of around[rank], in which the rank is with others of its kind */
    int *first;  /* [nsets + 1] set s has piece[first[s]] .. piece[first[s + 1] - 1], by kind */
    struct piece *piece;
};

/*
 * Arrange the ranks of `args` by the sets and kinds of args->cost. Where it has counts, unlike
 * blocks make unlike kinds. Release with hitop_sets_fini(), also after a failure. Takes O(size
 * depth) and O(size log size).
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
    int inner; /* the ring lies around this set, which is in the hole */
    int outer; /* a piece of the set around it */
    int same;  /* the first piece of the inner set whose kind is not behind */
};

/* Before the first ring around a rank. */
struct ring hitop_rings_around(const struct sets *sets, int rank);

/* Go on to the next one outwards, which may be empty; 0 when there is none. */
int hitop_ring_next(const struct sets *sets, struct ring *ring);

/* The ring around a rank that is in a piece: one that hitop_ring_next() gave as its outer one. */
struct ring hitop_ring_in(const struct sets *sets, int rank, int outer);

/* How many ranks a ring has. */
static inline int ring_count(const struct ring *ring)
{
    return ring->hole_begin - ring->begin + ring->end - ring->hole_end;
}

#endif /* SETS_H */
