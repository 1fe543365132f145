/* SPDX-License-Identifier: BSD-3-Clause */
/* flat_order.c - the order of a sorted flat tree, for a model. */
#include <config.h>

#include "hitop/closed_form.h"

#include "coll/trees/flat_sort.h"

enum hitop_status hitop_flat_order(const struct hitop_model *model, int root, const size_t *blocks,
                                   int *order, struct hitop_diag *diag)
{
    const struct hitop_cost cost = hitop_model_cost(model);
    const struct hitop_tree_args args = {
        .size = cost.nranks, .root = root, .cost = &cost, .counts = blocks};

    if (root < 0 || root >= cost.nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "flat order: root %d is not in 0..%d", root,
                          cost.nranks - 1);
    }
    return hitop_flat_sort(&args, order, diag);
}
