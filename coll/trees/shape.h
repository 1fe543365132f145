/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHAPE_H
#define SHAPE_H

/* shape.h - trees defined by a formula over virtual ranks, and the send order by subtree size. */

#include "hitop/sys/tree.h"

/*
 * Build the tree in which up(params, size, v) < v is the parent of virtual rank v > 0. Virtual
 * rank v is rank (v + root) mod size. The child with the largest subtree is served first.
 */
enum hitop_status hitop_shape_build(const struct hitop_tree_args *args, const double *params,
                                    int (*up)(const double *params, int size, int v), int *parent,
                                    int *order, struct hitop_diag *diag);

/*
 * Sort order[] by falling size of the subtrees; equal ones by the distance of the rank from the
 * root, counted upwards and cyclically. On entry parents come before their children.
 */
enum hitop_status hitop_order_by_size(const struct hitop_tree_args *args, const int *parent,
                                      int *order, struct hitop_diag *diag);

#endif /* SHAPE_H */
