/* SPDX-License-Identifier: BSD-3-Clause */
/* flat.c - a hierarchy without groups: all ranks directly below the root. */
#include <config.h>

#include "hitop/hierarchy.h"

enum hitop_status hitop_hierarchy_flat(const char *const *host, int nranks,
                                       struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    enum hitop_status status;
    int root;

    *out = NULL;
    if (!b) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "hierarchy: out of memory");
    }
    root = hitop_hierarchy_builder_group(b, "root", "");
    for (int rank = 0; rank < nranks; rank++) {
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, host[rank]), root);
    }
    status = hitop_hierarchy_builder_finish(b, out, diag);
    hitop_hierarchy_builder_free(b);
    return status;
}
