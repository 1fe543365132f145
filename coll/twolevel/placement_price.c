/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_price.c - one class for each group that has links. */
#include <config.h>

#include "placement_price.h"

#include <stdlib.h>

enum hitop_status hitop_placement_price(const char *type, const struct hitop_hierarchy *h,
                                        hitop_price_group *price, const void *context,
                                        struct hitop_model **out, struct hitop_diag *diag)
{
    const int nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_class *classes = calloc((size_t)nnodes, sizeof(*classes));
    enum hitop_status status;
    int n = 0;

    if (!classes) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int node = hitop_hierarchy_nranks(h); node < nnodes; node++) {
        int nchildren;
        (void)hitop_hierarchy_children(h, node, &nchildren);
        if (nchildren >= 2) {
            classes[n] = (struct hitop_class){.node = node, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}};
            price(context, h, node, &classes[n++]);
        }
    }
    status = hitop_model_build(type, h, classes, n, NULL, out, diag);
    free(classes);
    return status;
}
