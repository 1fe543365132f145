/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_flat.c - the root sends to each rank directly.
 *
 * Idea:   one level, so that no rank waits for another one to forward.
 * Cost:   n - 1 sends at the root.
 * Use:    few ranks, or links whose latency is much longer than a send occupies the root.
 */
#include <config.h>

#include "coll/trees/shape.h"

static int flat_up(const double *params, int size, int v)
{
    (void)params;
    (void)size;
    (void)v;
    return 0;
}

static enum hitop_status flat_build(const struct hitop_tree_args *args, const double *params,
                                    int *parent, int *order, struct hitop_diag *diag)
{
    return hitop_shape_build(args, params, flat_up, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_flat = {
    .name = "flat",
    .summary = "the root sends to every rank",
    .build = flat_build,
};
