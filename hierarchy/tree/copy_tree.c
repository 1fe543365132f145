/* SPDX-License-Identifier: BSD-3-Clause */
/* copy_tree.c - copy a hierarchy with one more attribute for its groups, or make a flat one. */
#include <config.h>

#include "hitop/hierarchy.h"

#include <stdlib.h>

static void copy_group(struct hitop_hierarchy_builder *b, const struct hitop_hierarchy *h, int node,
                       int *handle)
{
    *handle = hitop_hierarchy_builder_group(b, hitop_hierarchy_level(h, node),
                                            hitop_hierarchy_name(h, node));
    hitop_hierarchy_builder_copy_attrs(b, *handle, h, node);
}

/* Copy the leaves of one set, and find their smallest rank; returns their handle. */
static int copy_leaves(struct hitop_hierarchy_builder *b, const struct hitop_hierarchy *h, int set,
                       int *rank)
{
    int nranges;
    const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);
    const int handle =
        hitop_hierarchy_builder_leaves(b, range, nranges, hitop_hierarchy_host(h, range->first));

    *rank = range->first;
    hitop_hierarchy_builder_copy_attrs(b, handle, h, *rank);
    return handle;
}

enum hitop_status hitop_hierarchy_copy(const struct hitop_hierarchy *h, const char *key,
                                       const char *const *value, struct hitop_hierarchy **out,
                                       struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    int *handle = calloc((size_t)(nnodes - nranks), sizeof(*handle)); /* of groups */
    enum hitop_status status = HITOP_ERR_NOMEM;
    int nsets;

    *out = NULL;
    if (!b || !handle) {
        (void)hitop_fail(diag, status, "hierarchy: out of memory");
        goto out;
    }
    for (int node = nranks; node < nnodes; node++) {
        copy_group(b, h, node, &handle[node - nranks]);
        if (value && value[node - nranks]) {
            hitop_hierarchy_builder_attr(b, handle[node - nranks], key, value[node - nranks]);
        }
    }
    for (int node = nranks; node < nnodes - 1; node++) {
        hitop_hierarchy_builder_edge(b, handle[node - nranks],
                                     handle[hitop_hierarchy_parent(h, node) - nranks]);
    }
    (void)hitop_hierarchy_leaf_sets(h, nnodes - 1, &nsets);
    for (int set = 0; set < nsets; set++) {
        int rank;
        const int leaves = copy_leaves(b, h, set, &rank);
        hitop_hierarchy_builder_edge(b, leaves, handle[hitop_hierarchy_parent(h, rank) - nranks]);
    }
    hitop_hierarchy_builder_copy_graph(b, h);
    status = hitop_hierarchy_builder_finish(b, out, diag);

out:
    free(handle);
    hitop_hierarchy_builder_free(b);
    return status;
}

/* A hierarchy without groups: all ranks directly below the root. */
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
