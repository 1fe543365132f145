/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHAPE_H
#define SHAPE_H

/* shape.h - trees that a formula over virtual ranks defines, and the send order by size. */

#include "hitop/sys/tree.h"

/*
 * Build the tree in which virtual rank v > 0 hangs below up(params, size, v) < v. Virtual rank v is
 * rank (v + root) mod size. Children are served largest subtree first.
 */
enum hitop_status hitop_shape_build(const struct hitop_tree_args *args, const double *params,
                                    int (*up)(const double *params, int size, int v), int *parent,
                                    int *order, struct hitop_diag *diag);

/*
 * Sort order[], in which parents stand before their children, by falling size of the subtrees,
 * equal ones by their distance from the root's rank upwards (cyclically).
 */
enum hitop_status hitop_order_by_size(const struct hitop_tree_args *args, const int *parent,
                                      int *order, struct hitop_diag *diag);

#endif /* SHAPE_H */
