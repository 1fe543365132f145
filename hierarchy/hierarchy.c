/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchy.c - what can be asked about a finished hierarchy. */
#include <config.h>

#include "hierarchy_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline int is_rank(const struct hitop_hierarchy *h, int rank)
{
    return rank >= 0 && rank < h->nranks;
}

void hitop_hierarchy_free(struct hitop_hierarchy *h)
{
    if (!h) {
        return;
    }
    text_pool_clear(&h->text);
    free(h->by_host);
    attr_table_clear(&h->attrs);
    free(h->name);
    free(h->level);
    free(h->count_ranks);
    free(h->first_rank);
    free(h->height);
    free(h->depth);
    free(h->child);
    free(h->child_begin);
    free(h->parent);
    free(h);
}

int hitop_hierarchy_nranks(const struct hitop_hierarchy *h)
{
    return h->nranks;
}

int hitop_hierarchy_nnodes(const struct hitop_hierarchy *h)
{
    return h->nnodes;
}

int hitop_hierarchy_root(const struct hitop_hierarchy *h)
{
    return h->nnodes - 1;
}

int hitop_hierarchy_parent(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return h->parent[node];
}

const int *hitop_hierarchy_children(const struct hitop_hierarchy *h, int node, int *count)
{
    assert(node >= 0 && node < h->nnodes);
    *count = h->child_begin[node + 1] - h->child_begin[node];
    return h->child + h->child_begin[node];
}

int hitop_hierarchy_height(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return h->height[node];
}

int hitop_hierarchy_first_rank(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return h->first_rank[node];
}

int hitop_hierarchy_count_ranks(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return h->count_ranks[node];
}

const char *hitop_hierarchy_level(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return h->level[node];
}

const char *hitop_hierarchy_name(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nnodes);
    return is_rank(h, node) ? "" : h->name[node];
}

const char *hitop_hierarchy_host(const struct hitop_hierarchy *h, int rank)
{
    assert(is_rank(h, rank));
    return h->name[rank];
}

int hitop_hierarchy_rank_on_host(const struct hitop_hierarchy *h, const char *host)
{
    int low = 0, high = h->nranks;

    while (low < high) { /* first entry that is not before host */
        const int middle = low + (high - low) / 2;
        if (strcmp(h->by_host[middle].host, host) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < h->nranks && strcmp(h->by_host[low].host, host) == 0 ? h->by_host[low].rank
                                                                      : HITOP_NO_RANK;
}

int hitop_hierarchy_lca(const struct hitop_hierarchy *h, int rank_a, int rank_b)
{
    int a = rank_a, b = rank_b;

    assert(is_rank(h, a) && is_rank(h, b));
    while (a != b) { /* the deeper of the two moves up */
        if (h->depth[a] >= h->depth[b]) {
            a = h->parent[a];
        } else {
            b = h->parent[b];
        }
    }
    return a;
}
