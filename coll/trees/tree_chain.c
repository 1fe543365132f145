/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_chain.c - every rank forwards to the next one.
 *
 * Idea:   root, root + 1, ..., n - 1, 0, ..., root - 1 in a row: each rank sends only once.
 * Cost:   depth n - 1; with segments all links work at the same time.
 * Use:    long messages in segments.
 */
#include <config.h>

#include "coll/trees/shape.h"

static int chain_up(const double *params, int size, int v)
{
    (void)params;
    (void)size;
    return v - 1;
}

static enum hitop_status chain_build(const struct hitop_tree_args *args, const double *params,
                                     int *parent, int *order, struct hitop_diag *diag)
{
    return hitop_shape_build(args, params, chain_up, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_chain = {
    .name = "chain",
    .summary = "one chain in rank order",
    .build = chain_build,
};
