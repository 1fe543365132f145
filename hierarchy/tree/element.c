/* SPDX-License-Identifier: BSD-3-Clause */
/* element.c - find the elements of a hierarchy, and which of them are alike. */
#include <config.h>

#include "hierarchy/tree/element.h"

#include <stdlib.h>
#include <string.h>

/* Siblings to be sorted by shape. */
struct candidate {
    uint64_t shape;
    int index;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) {
        hash = mix(hash, (unsigned char)*text);
    }
    return mix(hash, text ? 1 : 2);
}

/* 1 if all members of a group are ranks of one host. */
static int is_whole(const struct hitop_hierarchy *h, int group)
{
    int count;
    const int *child = hitop_hierarchy_children(h, group, &count);

    for (int i = 0; i < count; i++) {
        if (hitop_hierarchy_height(h, child[i]) > 0 ||
            strcmp(hitop_hierarchy_host(h, child[i]), hitop_hierarchy_host(h, child[0])) != 0) {
            return 0;
        }
    }
    return 1;
}

static int is_host(const struct hitop_hierarchy *h, int node)
{
    return node < hitop_hierarchy_nranks(h) || strcmp(hitop_hierarchy_level(h, node), "host") == 0;
}

static void add_children(struct elements *e, const struct hitop_hierarchy *h, int parent)
{
    const int node = e->at[parent].node;
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    e->at[parent].first_child = e->n;
    if (is_whole(h, node)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (element_is_first(h, child[i])) {
            e->at[e->n] = (struct element){.node = child[i],
                                           .parent = parent,
                                           .depth = e->at[parent].depth + 1,
                                           .is_host = is_host(h, child[i])};
            e->at[e->n].first_alike = e->n;
            e->n++;
        }
    }
    e->at[parent].nchildren = e->n - e->at[parent].first_child;
}

/* A hash of level, source and contents, without names. */
static uint64_t find_shape(const struct elements *e, const struct hitop_hierarchy *h, int index)
{
    const struct element *x = &e->at[index];
    uint64_t shape = mix_text((uint64_t)hitop_hierarchy_count_ranks(h, x->node),
                              hitop_hierarchy_level(h, x->node));

    shape = mix_text(shape, hitop_hierarchy_attr(h, x->node, "source"));
    shape = mix_text(shape, hitop_hierarchy_attr(h, x->node, "confidence"));
    if (x->node < hitop_hierarchy_nranks(h)) { /* all ranks of its set */
        int count, nranges;
        const struct hitop_rank_range *range =
            hitop_hierarchy_leaf_set(h, hitop_hierarchy_leaf_sets(h, x->node, &count), &nranges);
        for (int i = 0; i < nranges; i++) {
            shape += (uint64_t)hitop_rank_range_count(&range[i]);
        }
    }
    for (int i = 0; i < x->nchildren; i++) {
        shape = mix(shape, e->at[x->first_child + i].shape);
    }
    return shape;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->shape != y->shape) {
        return x->shape < y->shape ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static void find_alike(struct elements *e, int parent, struct candidate *candidate)
{
    const struct element *x = &e->at[parent];

    for (int i = 0; i < x->nchildren; i++) {
        candidate[i].index = x->first_child + i;
        candidate[i].shape = e->at[x->first_child + i].shape;
    }
    qsort(candidate, (size_t)x->nchildren, sizeof(*candidate), compare_candidates);
    for (int i = 1; i < x->nchildren; i++) {
        if (candidate[i].shape == candidate[i - 1].shape) {
            e->at[candidate[i].index].first_alike = e->at[candidate[i - 1].index].first_alike;
        }
    }
}

enum hitop_status hitop_elements_fill(struct elements *e, const struct hitop_hierarchy *h,
                                      struct storage *storage)
{
    const int root = hitop_hierarchy_root(h);
    struct candidate *candidate;
    int nsets, most;

    (void)hitop_hierarchy_leaf_sets(h, root, &nsets);
    most = nsets + root + 1 - hitop_hierarchy_nranks(h);
    *e = (struct elements){0};
    if (!STORAGE_ARRAY(storage, e->at, most) || !STORAGE_ARRAY(storage, candidate, most)) {
        return HITOP_ERR_NOMEM;
    }
    e->at[e->n++] = (struct element){.node = root, .parent = -1};
    for (int i = 0; i < e->n; i++) {
        if (e->at[i].node >= hitop_hierarchy_nranks(h)) {
            add_children(e, h, i);
        }
    }
    e->depth = e->at[e->n - 1].depth;
    for (int i = e->n - 1; i >= 0; i--) {
        e->at[i].shape = find_shape(e, h, i);
        find_alike(e, i, candidate);
    }
    return HITOP_OK;
}
