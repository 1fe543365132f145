/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_TREE_H
#define RANDOM_TREE_H

/*
 * random_tree.h - trees drawn at random, and what can be said of them by searching all of it.
 *
 * Nothing here is fast, so that nothing needs a second look; only for tests with Check.
 */

#include "hitop/hierarchy.h"

enum { MAX_GROUPS = 14, MAX_RANKS = 30 };

/* Group 0 is the root; the numbers of groups mean nothing, those of the finished hierarchy do. */
struct tree {
    int ngroups, nranks;
    int up[MAX_GROUPS]; /* smaller than the group; of the root itself */
    int innermost[MAX_RANKS], host[MAX_RANKS], color[MAX_RANKS];
};

/* Begin a series of trees; prints the seed, which HITOP_TEST_SEED may give. */
void tree_seed(void);

/* A number below `bound`. */
int tree_random(int bound);

struct tree tree_draw(void);

/* The hierarchy of a tree, built in a random order; group 3 has the name "g3". */
struct hitop_hierarchy *tree_build(const struct tree *t);

const char *tree_host_name(int host);

/* "" for color 0. */
const char *tree_color_name(int color);

/* Do two ranks differ in nothing else? */
int tree_are_alike(const struct tree *t, int x, int y);

/* Edges from a rank up to a group, or 0 when it is not below it. */
int tree_climb(const struct tree *t, int rank, int group);

struct tree_facts {
    int first_rank, count, height, depth;
};

struct tree_facts tree_search(const struct tree *t, int group);

/* The number that the hierarchy must give to a group. */
int tree_number_of(const struct tree *t, int group);

#endif /* RANDOM_TREE_H */
