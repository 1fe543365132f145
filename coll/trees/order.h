/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORDER_H
#define ORDER_H

/* order.h - send order of trees in which a parent serves its largest subtree first. */

#include "hitop/status.h"

/*
 * Fill order[] (as struct hitop_tree_builder.build wants it) from parent[]: level by level, the
 * children of one parent by falling subtree size, equal ones by distance from the root's rank
 * upwards (cyclically). Gives HITOP_ERR_INVALID when parent[] is not a tree below root.
 */
enum hitop_status hitop_order_by_size(int size, int root, const int *parent, int *order,
                                      struct hitop_diag *diag);

#endif /* ORDER_H */
