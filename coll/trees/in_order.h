/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IN_ORDER_H
#define IN_ORDER_H

/* in_order.h - whether the ranks of every subtree follow each other. */

#include "hitop/status.h"

/*
 * Set *in_order to 1 when the ranks of every subtree are consecutive, else to 0. parent[] and order[] are
 * those of a spanning tree of `size` ranks, as struct hitop_tree_builder.build fills them.
 */
enum hitop_status hitop_find_in_order(int size, const int *parent, const int *order, int *in_order,
                                      struct hitop_diag *diag);

#endif /* IN_ORDER_H */
