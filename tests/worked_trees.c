/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worked_trees.c - trees over worked_cost() with their times, from an independent calculation.
 *
 * The trees follow the builders of CPM; the times are those of its recursion over a tree, in which
 * a parent serves the child with the largest subtree first: T(v, c1..ck) = price(v, c1) +
 * max(T(c1), T(v, c2..ck)).
 */
#include <config.h>

#include "worked_trees.h"

/* clang-format off */
const struct worked_tree worked_trees[] = {
    {"binomial", 8, 0, 0, {-1, 0, 0, 2, 0, 4, 4, 6}, 172e-6, 202e-6},
    {"dfs_min", 8, 0, 0, {-1, 6, 6, 0, 5, 0, 0, 2}, 155e-6, 188e-6},
    {"dfs_max", 8, 0, 0, {-1, 0, 7, 7, 0, 2, 4, 0}, 178e-6, 191e-6},
    {"bfs_min", 8, 0, 0, {-1, 2, 3, 0, 3, 0, 0, 5}, 94e-6, 113e-6},
    {"bfs_max", 8, 0, 0, {-1, 0, 1, 5, 0, 1, 4, 0}, 178e-6, 196e-6},
    {"ucs_min", 8, 0, 0, {-1, 6, 0, 0, 3, 0, 3, 5}, 95e-6, 116e-6},
    {"ucs_max", 8, 0, 0, {-1, 0, 1, 5, 0, 1, 4, 0}, 178e-6, 196e-6},
    {"dfs_largest_min", 8, 0, 0, {-1, 6, 3, 0, 5, 0, 3, 0}, 100e-6, 121e-6},
    {"dfs_largest_max", 8, 0, 0, {-1, 0, 1, 0, 0, 1, 5, 4}, 178e-6, 196e-6},
    {"dfs_min", 8, 3, 0, {3, 7, 3, -1, 2, 0, 3, 0}, 100e-6, 117e-6},
    {"dfs_max", 8, 3, 0, {3, 5, 0, -1, 0, 3, 2, 3}, 121e-6, 139e-6},
    {"bfs_min", 8, 3, 0, {6, 6, 3, -1, 3, 2, 3, 1}, 82e-6, 91e-6},
    {"bfs_max", 8, 3, 0, {5, 3, 7, -1, 2, 3, 7, 3}, 184e-6, 218e-6},
    {"ucs_min", 8, 3, 0, {6, 6, 3, -1, 3, 2, 3, 1}, 82e-6, 91e-6},
    {"ucs_max", 8, 3, 0, {5, 3, 7, -1, 2, 3, 7, 3}, 184e-6, 218e-6},
    {"dfs_largest_min", 8, 3, 0, {6, 6, 3, -1, 2, 3, 3, 1}, 82e-6, 91e-6},
    {"dfs_largest_max", 8, 3, 0, {5, 2, 7, -1, 3, 3, 7, 3}, 187e-6, 221e-6},
    {"dfs_min", 8, 0, 1, {-1, 7, 6, 0, 5, 0, 7, 0}, 156e-6, 166e-6},
    {"dfs_max", 8, 0, 1, {-1, 0, 0, 5, 0, 2, 4, 2}, 161e-6, 180e-6},
    {"bfs_min", 8, 0, 1, {-1, 2, 3, 0, 3, 0, 0, 5}, 94e-6, 113e-6},
    {"bfs_max", 8, 0, 1, {-1, 0, 4, 6, 0, 1, 4, 0}, 171e-6, 195e-6},
    {"ucs_min", 8, 0, 1, {-1, 6, 0, 0, 3, 0, 3, 5}, 95e-6, 116e-6},
    {"ucs_max", 8, 0, 1, {-1, 0, 4, 6, 0, 1, 4, 0}, 171e-6, 195e-6},
    {"binomial", 6, 0, 0, {-1, 0, 0, 2, 2, 4}, 96e-6, 110e-6},
    {"dfs_min", 6, 0, 0, {-1, 2, 5, 0, 5, 0}, 125e-6, 150e-6},
    {"dfs_max", 6, 0, 0, {-1, 0, 4, 4, 0, 3}, 107e-6, 130e-6},
    {"bfs_min", 6, 0, 0, {-1, 2, 3, 0, 3, 0}, 94e-6, 110e-6},
    {"bfs_max", 6, 0, 0, {-1, 0, 1, 5, 0, 1}, 178e-6, 196e-6},
    {"ucs_min", 6, 0, 0, {-1, 2, 3, 0, 3, 0}, 94e-6, 110e-6},
    {"ucs_max", 6, 0, 0, {-1, 0, 1, 5, 0, 1}, 178e-6, 196e-6},
    {"binomial", 8, 3, 0, {7, 7, 1, -1, 3, 3, 5, 3}, 141e-6, 171e-6},
    {0},
};
/* clang-format on */
