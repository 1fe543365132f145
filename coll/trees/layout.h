/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAYOUT_H
#define LAYOUT_H

/*
 * layout.h - the ranks in a line, such that each subtree stands together.
 *
 * This is the in-order traversal: of a rank's subtrees those that begin with a lower rank stand before
 * it, the others behind, both by their lowest rank. Where the ranks of every subtree are consecutive,
 * each rank stands at its own number.
 */

struct layout {
    int *weight;  /* [size]: ranks of the subtree */
    int *first;   /* [size]: where the subtree begins in the line */
    int *place;   /* [size]: where the rank stands in the line */
    int *rank_at; /* [size]: who stands there */
    int in_order; /* 1: everybody stands at its own number */
};

/*
 * Lay out the tree of parent[], of which order[] names parents before their children. Returns 0 when out of
 * memory. Release with hitop_layout_fini(), also after a failure. Takes O(size).
 */
int hitop_layout_init(struct layout *layout, int size, const int *parent, const int *order);
void hitop_layout_fini(struct layout *layout);

#endif /* LAYOUT_H */
