/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_binary.c - every rank forwards to at most two others.
 *
 * Idea:   the complete binary tree in heap order: the parent of v is (v - 1) / 2.
 * Cost:   depth floor(log2 n); every inner rank sends twice.
 * Use:    segmented messages of medium length: nearly the bandwidth of a chain at a short depth.
 */
#include <config.h>

#include "coll/trees/shape.h"

static int binary_up(const double *params, int size, int v)
{
    (void)params;
    (void)size;
    return (v - 1) / 2;
}

static enum hitop_status binary_build(const struct hitop_tree_args *args, const double *params,
                                      int *parent, int *order, struct hitop_diag *diag)
{
    return hitop_shape_build(args, params, binary_up, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_binary = {
    .name = "binary",
    .summary = "complete binary tree in rank order",
    .build = binary_build,
};
