/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchy.c - accessors of a finished hierarchy. */
#include <config.h>

#include "hierarchy/tree/hierarchy_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline int nnodes(const struct hitop_hierarchy *h)
{
    return h->nranks + h->ngroups;
}

static inline int is_rank(const struct hitop_hierarchy *h, int rank)
{
    return rank >= 0 && rank < h->nranks;
}

static inline const struct leaf_set *set_of(const struct hitop_hierarchy *h, int rank)
{
    assert(is_rank(h, rank));
    return &h->set[h->set_of[rank]];
}

static inline const struct inner_node *group_of(const struct hitop_hierarchy *h, int node)
{
    assert(node >= h->nranks && node < nnodes(h));
    return &h->group[node - h->nranks];
}

void hitop_hierarchy_free(struct hitop_hierarchy *h)
{
    if (h) {
        hitop_storage_clear(&h->text);
        hitop_ranks_clear(&h->rank);
        free(h);
    }
}

int hitop_hierarchy_nranks(const struct hitop_hierarchy *h)
{
    return h->nranks;
}

int hitop_hierarchy_nnodes(const struct hitop_hierarchy *h)
{
    return nnodes(h);
}

int hitop_hierarchy_root(const struct hitop_hierarchy *h)
{
    return nnodes(h) - 1;
}

int hitop_hierarchy_parent(const struct hitop_hierarchy *h, int node)
{
    const int up = is_rank(h, node) ? set_of(h, node)->parent : group_of(h, node)->parent;

    return up == HITOP_NO_NODE ? up : h->nranks + up;
}

const int *hitop_hierarchy_children(const struct hitop_hierarchy *h, int node, int *count)
{
    const struct inner_node *group = is_rank(h, node) ? NULL : group_of(h, node);

    *count = group ? group[1].child_begin - group->child_begin : 0;
    return h->child + (group ? group->child_begin : 0);
}

int hitop_hierarchy_height(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? 0 : group_of(h, node)->height;
}

int hitop_hierarchy_depth(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? h->group[set_of(h, node)->parent].depth + 1
                            : group_of(h, node)->depth;
}

int hitop_hierarchy_first_rank(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? node : group_of(h, node)->first_rank;
}

int hitop_hierarchy_count_ranks(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? 1 : group_of(h, node)->count_ranks;
}

double hitop_hierarchy_capacity(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? 0 : group_of(h, node)->capacity;
}

const char *hitop_hierarchy_level(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? "rank" : group_of(h, node)->level;
}

const char *hitop_hierarchy_name(const struct hitop_hierarchy *h, int node)
{
    return is_rank(h, node) ? "" : group_of(h, node)->name;
}

const char *hitop_hierarchy_host(const struct hitop_hierarchy *h, int rank)
{
    return set_of(h, rank)->host;
}

int hitop_hierarchy_share_host(const struct hitop_hierarchy *h, int rank_a, int rank_b)
{
    const char *a = set_of(h, rank_a)->host, *b = set_of(h, rank_b)->host;

    return a == b || strcmp(a, b) == 0;
}

static int compare_host(const void *key, const void *entry)
{
    return strcmp(key, ((const struct host_entry *)entry)->host);
}

int hitop_hierarchy_rank_on_host(const struct hitop_hierarchy *h, const char *host)
{
    const struct host_entry *found =
        bsearch(host, h->by_host, (size_t)h->nhosts, sizeof(*found), compare_host);

    return found ? found->rank : HITOP_NO_RANK;
}

int hitop_hierarchy_lca(const struct hitop_hierarchy *h, int rank_a, int rank_b)
{
    int a = set_of(h, rank_a)->parent, b = set_of(h, rank_b)->parent;

    if (rank_a == rank_b) {
        return rank_a;
    }
    while (a != b) { /* move the smaller one up: a group has a larger number than its members */
        if (a < b) {
            a = h->group[a].parent;
        } else {
            b = h->group[b].parent;
        }
    }
    return h->nranks + a;
}

int hitop_hierarchy_first_difference(const struct hitop_hierarchy *a,
                                     const struct hitop_hierarchy *b)
{
    int node = 0;

    /* ends at the root of the smaller hierarchy: that node has a parent in the larger one */
    while (node < hitop_hierarchy_nnodes(a) && node < hitop_hierarchy_nnodes(b) &&
           hitop_hierarchy_parent(a, node) == hitop_hierarchy_parent(b, node)) {
        node++;
    }
    return node < hitop_hierarchy_nnodes(a) ? node : HITOP_NO_NODE;
}

int hitop_hierarchy_leaf_sets(const struct hitop_hierarchy *h, int node, int *count)
{
    const struct inner_node *group = is_rank(h, node) ? NULL : group_of(h, node);

    *count = group ? group->set_end - group->set_begin : 1;
    return group ? group->set_begin : h->set_of[node];
}

const struct hitop_rank_range *hitop_hierarchy_leaf_set(const struct hitop_hierarchy *h, int set,
                                                        int *nranges)
{
    assert(set >= 0 && set < h->nsets);
    *nranges = h->set[set + 1].range_begin - h->set[set].range_begin;
    return &h->rank.range[h->set[set].range_begin];
}
