/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchy_walk.c - visit the nodes of a subtree or of one height, and the ranks of a group. */
#include <config.h>

#include "hierarchy/tree/hierarchy_impl.h"

#include "hierarchy/text/compare_ints.h"

#include <stdint.h>
#include <stdlib.h>

/* The next member of the group that contains node, or HITOP_NO_NODE. */
static int next_sibling(const struct hitop_hierarchy *h, int node)
{
    const int rank = hitop_hierarchy_first_rank(h, node);
    int count, low = 0, high;
    const int *child = hitop_hierarchy_children(h, hitop_hierarchy_parent(h, node), &count);

    for (high = count; low < high;) { /* binary search: members are sorted by first rank */
        const int middle = low + (high - low) / 2;
        if (hitop_hierarchy_first_rank(h, child[middle]) <= rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count ? child[low] : HITOP_NO_NODE;
}

int hitop_hierarchy_next(const struct hitop_hierarchy *h, int top, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);
    int next = count > 0 ? child[0] : HITOP_NO_NODE;

    for (int at = node; next == HITOP_NO_NODE && at != top; at = hitop_hierarchy_parent(h, at)) {
        next = next_sibling(h, at);
    }
    return next;
}

/* The first group with at least this height, or ngroups. */
static int find_height(const struct hitop_hierarchy *h, int height)
{
    int low = 0, high = h->ngroups;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (h->group[middle].height < height) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int hitop_hierarchy_at_height(const struct hitop_hierarchy *h, int height, int *count)
{
    const int begin = height > 0 ? find_height(h, height) : 0;
    const int end = height > 0 ? find_height(h, height + 1) : 0;

    *count = height == 0 ? h->nranks : end - begin;
    return *count == 0 ? HITOP_NO_NODE : height == 0 ? 0 : h->nranks + begin;
}

/* Sort n ranks with a bitmap, which has one bit for each number from first to last. */
static enum hitop_status sort_dense(int *rank, int n, int first, int last)
{
    uint64_t *mark = calloc((size_t)(last - first) / 64 + 1, sizeof(*mark));
    int k = 0;

    if (!mark) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < n; i++) {
        mark[(rank[i] - first) / 64] |= (uint64_t)1 << (rank[i] - first) % 64;
    }
    for (int i = 0; i <= last - first; i++) {
        if (mark[i / 64] >> i % 64 & 1) {
            rank[k++] = first + i;
        }
    }
    free(mark);
    return HITOP_OK;
}

/* Sort ranks. Sorted or dense ranks, the most frequent cases, take linear time. */
static enum hitop_status sort(int *rank, int n)
{
    int first = rank[0], last = rank[0], is_sorted = 1;

    for (int i = 1; i < n; i++) {
        is_sorted = is_sorted && rank[i - 1] < rank[i];
        first = rank[i] < first ? rank[i] : first;
        last = rank[i] > last ? rank[i] : last;
    }
    if (is_sorted) {
        return HITOP_OK;
    }
    if ((last - first) / 512 <= n) {
        return sort_dense(rank, n, first, last);
    }
    qsort(rank, (size_t)n, sizeof(*rank), compare_ints);
    return HITOP_OK;
}

/* Ranks of the leaf sets below a node, set by set. */
static void expand(const struct hitop_hierarchy *h, int first_set, int nsets, int *rank)
{
    for (int i = h->set[first_set].range_begin; i < h->set[first_set + nsets].range_begin; i++) {
        const struct hitop_rank_range *range = &h->rank.range[i];
        for (long long r = range->first; r <= range->last; r += range->step) {
            *rank++ = (int)r;
        }
    }
}

enum hitop_status hitop_hierarchy_ranks(const struct hitop_hierarchy *h, int node,
                                        struct hitop_ranks *ranks, struct hitop_diag *diag)
{
    const int n = hitop_hierarchy_count_ranks(h, node);
    int nsets;
    const int first_set = hitop_hierarchy_leaf_sets(h, node, &nsets);
    int *rank = calloc((size_t)n, sizeof(*rank));
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (rank && node < h->nranks) {
        status = hitop_ranks_add(ranks, &node, 1, diag);
    } else if (rank) {
        expand(h, first_set, nsets, rank);
        status = sort(rank, n);
        if (status == HITOP_OK) {
            status = hitop_ranks_add(ranks, rank, n, diag);
        }
    }
    free(rank);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "ranks: out of memory");
}
