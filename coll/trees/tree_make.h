/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_MAKE_H
#define TREE_MAKE_H

/* tree_make.h - from parents to a tree object. */

#include "hitop/tree.h"

/*
 * Make a tree of parent[] and order[], which are as struct hitop_tree_builder.build fills them and are copied.
 *
 * name  whose work it is, for the message
 * out   receives the tree; NULL on failure
 *
 * HITOP_ERR_INVALID  they are no spanning tree below root
 */
HITOP_API enum hitop_status hitop_tree_make(const char *name, int size, int root, const int *parent,
                                            const int *order, struct hitop_tree **out,
                                            struct hitop_diag *diag);

#endif /* TREE_MAKE_H */
