/* SPDX-License-Identifier: BSD-3-Clause */
/* model_hierarchy.c - the copy of a hierarchy that a model keeps. */
#include <config.h>

#include "model_impl.h"

#include <stdlib.h>

enum hitop_status model_copy_hierarchy(const struct hitop_hierarchy *h,
                                       struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    int *handle = calloc((size_t)nnodes, sizeof(*handle));
    enum hitop_status status = HITOP_ERR_NOMEM;

    *out = NULL;
    if (!b || !handle) {
        (void)hitop_fail(diag, status, "model: out of memory");
        goto out;
    }
    for (int node = 0; node < nnodes; node++) {
        handle[node] = node < nranks
                           ? hitop_hierarchy_builder_leaf(b, node, hitop_hierarchy_host(h, node))
                           : hitop_hierarchy_builder_group(b, hitop_hierarchy_level(h, node),
                                                           hitop_hierarchy_name(h, node));
        hitop_hierarchy_builder_copy_attrs(b, handle[node], h, node);
    }
    for (int node = 0; node < nnodes; node++) {
        const int parent = hitop_hierarchy_parent(h, node);
        if (parent != HITOP_NO_NODE) {
            hitop_hierarchy_builder_edge(b, handle[node], handle[parent]);
        }
    }
    hitop_hierarchy_builder_copy_graph(b, h);
    status = hitop_hierarchy_builder_finish(b, out, diag);

out:
    free(handle);
    hitop_hierarchy_builder_free(b);
    return status;
}
