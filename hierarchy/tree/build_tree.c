/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build_tree.c - make a hierarchy of a merged tree.
 *
 * Groups with a single member are left out; the member goes to the group above.
 */
#include <config.h>

#include "hierarchy/text/buckets.h"
#include "hierarchy/tree/merged_tree.h"

#include "hitop/text.h"

struct building {
    const struct merged_tree *tree;
    struct hitop_hierarchy_builder *b;
    int keep_chains, keep_hosts;
    int *handle; /* per group; a group that is left out has that of the group above */
};

static int is_in_layer(const struct merged_group *group, enum hitop_layer layer)
{
    return group->step && group->step->layer == layer;
}

/*
 * Several groups of the same ranks become one group. Outside of hosts that is the innermost of
 * them. Inside a host it is the outermost, so that ranks that share all parts of a host make no
 * groups below it.
 */
static int is_kept(const struct building *to, int i)
{
    const struct merged_group *group = &to->tree->group[i];

    if (to->keep_chains || (to->keep_hosts && is_in_layer(group, HITOP_LAYER_HOST))) {
        return 1;
    }
    if (is_in_layer(group, HITOP_LAYER_INSIDE)) {
        return group->nranks > 1 && to->tree->group[group->parent].nmembers > 1;
    }
    return group->nmembers > 1;
}

/* Hosts are kept if any of them has two ranks. */
static int has_shared_host(const struct merged_tree *t)
{
    for (int i = 0; i < t->ngroups; i++) {
        if (is_in_layer(&t->group[i], HITOP_LAYER_HOST) && t->group[i].nranks > 1) {
            return 1;
        }
    }
    return 0;
}

/*
 * The step that names a kept group. If several sources have a group of these hosts, the step with
 * the highest confidence is chosen, and among equal ones the innermost. A source with several such
 * groups is represented by its innermost one. Hosts are always named by their own step.
 */
static const struct path_step *choose_step(const struct building *to, int i)
{
    const struct merged_group *all = to->tree->group;
    const struct path_step *best = all[i].step;

    if (!best || to->keep_chains || best->layer >= HITOP_LAYER_HOST) {
        return best;
    }
    for (int up = all[i].parent; up >= 0 && all[up].step && all[up].nmembers == 1;
         up = all[up].parent) {
        if (all[up].step->source != best->source && all[up].step->confidence > best->confidence) {
            best = all[up].step;
        }
    }
    return best;
}

static int add_group(struct hitop_hierarchy_builder *b, const struct path_step *step, int above)
{
    const int handle =
        hitop_hierarchy_builder_group(b, step ? step->level : "root", step ? step->name : "");
    char confidence[32];

    if (step) {
        hitop_text_format_number(step->confidence, 6, confidence, sizeof(confidence));
        hitop_hierarchy_builder_attr(b, handle, "source", step->source->name);
        hitop_hierarchy_builder_attr(b, handle, "confidence", confidence);
    }
    if (above != HITOP_NO_NODE) {
        hitop_hierarchy_builder_edge(b, handle, above);
    }
    return handle;
}

static void add_groups(const struct building *to)
{
    const struct merged_tree *t = to->tree;
    int nkept = 0;

    for (int i = 0; i < t->ngroups; i++) {
        nkept += is_kept(to, i);
    }
    for (int i = 0; i < t->ngroups; i++) {
        const int above = i == 0 ? HITOP_NO_NODE : to->handle[t->group[i].parent];
        const int is_needed = i == 0 && nkept == 0; /* a single rank needs a group */

        to->handle[i] =
            is_kept(to, i) || is_needed ? add_group(to->b, choose_step(to, i), above) : above;
    }
}

/* Add the ranks of one group, in ascending order: one leaf for those of each host. */
static enum hitop_status add_members(const struct building *to, int group, const int *rank, int n,
                                     struct hitop_ranks *ranges)
{
    const struct host_table *hosts = to->tree->table;
    enum hitop_status status = HITOP_OK;

    for (int i = 0, end; i < n && status == HITOP_OK; i = end) {
        const int host = hosts->host_of[rank[i]];

        for (end = i + 1; end < n && hosts->host_of[rank[end]] == host; end++) {
        }
        ranges->n = 0;
        status = hitop_ranks_add(ranges, rank + i, end - i, NULL);
        if (status == HITOP_OK) {
            const int leaf = hitop_hierarchy_builder_leaves(to->b, ranges->range, ranges->n,
                                                            hosts->host[host].host);
            hitop_hierarchy_builder_edge(to->b, leaf, to->handle[group]);
        }
    }
    return status;
}

static enum hitop_status add_leaves(const struct building *to, struct storage *scratch)
{
    const struct merged_tree *t = to->tree;
    const int nranks = t->table->nranks;
    int *first, *rank; /* ranks by group */
    struct hitop_ranks ranges = {0};
    enum hitop_status status = HITOP_OK;

    if (!STORAGE_ARRAY(scratch, first, t->ngroups) || !STORAGE_ARRAY(scratch, rank, nranks)) {
        return HITOP_ERR_NOMEM;
    }
    buckets_fill(t->innermost, nranks, t->ngroups, first, rank);
    for (int i = 0; i < t->ngroups && status == HITOP_OK; i++) {
        status = add_members(to, i, rank + first[i], first[i + 1] - first[i], &ranges);
    }
    hitop_ranks_clear(&ranges);
    return status;
}

enum hitop_status hitop_build_tree(const struct host_table *table, const struct hitop_paths *hosts,
                                   const struct hitop_paths *inside, int keep_chains,
                                   struct storage *scratch, struct hitop_hierarchy **out,
                                   struct hitop_diag *diag)
{
    struct merged_tree t;
    struct building to = {
        .tree = &t, .b = hitop_hierarchy_builder_new(), .keep_chains = keep_chains};
    enum hitop_status status = hitop_merge_paths(&t, table, hosts, inside, scratch);

    if (status != HITOP_OK || !to.b || !STORAGE_ARRAY(scratch, to.handle, t.ngroups)) {
        status = HITOP_ERR_NOMEM;
    } else {
        to.keep_hosts = has_shared_host(&t);
        add_groups(&to);
        status = add_leaves(&to, scratch);
    }
    if (status == HITOP_OK) {
        status = hitop_hierarchy_builder_finish(to.b, out, diag);
    }
    hitop_hierarchy_builder_free(to.b);
    return status;
}
