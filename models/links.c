/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - which links stand for the groups of a hierarchy. */
#include <config.h>

#include "hitop/measure.h"

#include <stdlib.h>

enum hitop_status hitop_links_choose(const struct hitop_hierarchy *h, struct hitop_link **out,
                                     int *nlinks, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_link *links = calloc((size_t)(nnodes - nranks), sizeof(*links));
    int n = 0;

    *out = NULL;
    *nlinks = 0;
    if (!links) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory");
    }
    /* groups are numbered by height, then by first rank */
    for (int node = nranks; node < nnodes; node++) {
        int count;
        const int *child = hitop_hierarchy_children(h, node, &count);
        if (count > 1) {
            links[n++] = (struct hitop_link){.node = node,
                                             .rank = {hitop_hierarchy_first_rank(h, child[0]),
                                                      hitop_hierarchy_first_rank(h, child[1])},
                                             .round = hitop_hierarchy_height(h, node)};
        }
    }
    if (n == 0) {
        free(links);
        return HITOP_OK;
    }
    *out = links;
    *nlinks = n;
    return HITOP_OK;
}
