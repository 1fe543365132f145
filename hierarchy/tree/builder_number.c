/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builder_number.c - number the nodes of a checked tree.
 *
 * Groups are numbered by height, then by smallest rank. Leaf sets are numbered so that those below
 * any group are contiguous, and by smallest rank within their group.
 */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"

#include <stdint.h>
#include <stdlib.h>

/* ---- Leaves that differ in their ranks only, by a hash table ---- */

struct joining {
    const struct hitop_hierarchy_builder *b;
    const struct builder_fact *facts;
    struct attr_table attrs; /* by handle */
    int *slot;               /* a node, or -1 */
    size_t nslots;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* Kinds of attributes that a leaf may have. */
static const int kinds[] = {HITOP_ATTR_OF_NODE, HITOP_ATTR_OF_EDGE, ATTR_ID};

enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const struct hitop_attr *find_attrs(const struct joining *j, int kind, int node, int *count)
{
    return hitop_attr_table_find(&j->attrs, (struct attr_owner){kinds[kind], node}, count);
}

static uint64_t hash_leaf(const struct joining *j, int node)
{
    uint64_t hash = mix((uint64_t)j->facts[node].parent, (uintptr_t)j->b->nodes[node].name);

    for (int k = 0; k < NKINDS; k++) {
        int count;
        const struct hitop_attr *attr = find_attrs(j, k, node, &count);
        for (int i = 0; i < count; i++) {
            hash = mix(mix(hash, (uintptr_t)attr[i].key), (uintptr_t)attr[i].value);
        }
    }
    return hash;
}

static int are_alike(const struct joining *j, int x, int y)
{
    if (j->facts[x].parent != j->facts[y].parent || j->b->nodes[x].name != j->b->nodes[y].name) {
        return 0;
    }
    for (int k = 0; k < NKINDS; k++) {
        int nx, ny;
        const struct hitop_attr *a = find_attrs(j, k, x, &nx), *b = find_attrs(j, k, y, &ny);
        for (int i = 0; nx == ny && i < nx; i++) {
            if (a[i].key != b[i].key || a[i].value != b[i].value || a[i].is_html != b[i].is_html) {
                return 0;
            }
        }
        if (nx != ny) {
            return 0;
        }
    }
    return 1;
}

/* The first leaf that is equal to this one. */
static int find(struct joining *j, int node)
{
    size_t s = hash_leaf(j, node) & (j->nslots - 1);

    while (j->slot[s] >= 0 && !are_alike(j, j->slot[s], node)) {
        s = (s + 1) & (j->nslots - 1);
    }
    if (j->slot[s] < 0) {
        j->slot[s] = node;
    }
    return j->slot[s];
}

/*
 * Find leaves that differ in their ranks only: same[] receives for each node the first node that is
 * equal to it, or the node itself. HITOP_ERR_NOMEM without a message.
 */
static enum hitop_status join_leaves(struct hitop_hierarchy_builder *b,
                                     const struct builder_fact *facts, int *same,
                                     struct storage *scratch)
{
    struct joining j = {.b = b, .facts = facts, .nslots = 16};
    size_t nleaves = 0;

    for (int i = 0; i < b->nnodes; i++) {
        nleaves += (size_t)builder_is_leaf(b, i);
    }
    while (j.nslots < 2 * nleaves) {
        j.nslots *= 2;
    }
    if (!STORAGE_ARRAY(scratch, j.slot, j.nslots) ||
        !hitop_attr_table_fill(&j.attrs, &b->attrs, scratch)) {
        return HITOP_ERR_NOMEM;
    }
    for (size_t s = 0; s < j.nslots; s++) {
        j.slot[s] = -1;
    }
    for (int i = 0; i < b->nnodes; i++) {
        same[i] = builder_is_leaf(b, i) ? find(&j, i) : i;
    }
    return HITOP_OK;
}

/* ---- Numbers ---- */

struct position {
    int height, first_rank, node;
};

static int compare_positions(const void *a, const void *b)
{
    const struct position *x = a, *y = b;

    if (x->height != y->height) {
        return x->height < y->height ? -1 : 1;
    }
    return (x->first_rank > y->first_rank) - (x->first_rank < y->first_rank);
}

enum hitop_status hitop_builder_number_groups(const struct hitop_hierarchy_builder *b,
                                              struct builder_fact *facts,
                                              struct builder_order *order, struct storage *scratch)
{
    struct position *position;

    if (!STORAGE_ARRAY(scratch, position, b->nnodes)) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < b->nnodes; i++) {
        if (!builder_is_leaf(b, i)) {
            position[order->ngroups++] = (struct position){facts[i].height, facts[i].first_rank, i};
        }
    }
    qsort(position, (size_t)order->ngroups, sizeof(*position), compare_positions);
    for (int i = 0; i < order->ngroups; i++) {
        facts[position[i].node].number = i;
        order->group[i] = position[i].node;
    }
    return HITOP_OK;
}

/* Count the sets directly in each group; by_rank[] receives the first leaf of each set. */
static void list_sets(struct builder_fact *facts, const int *node_of_rank, int nranks,
                      const int *same, struct inner_node *group, int *by_rank, int *nsets)
{
    for (int rank = 0; rank < nranks; rank++) {
        const int node = same[node_of_rank[rank]];
        struct builder_fact *leaf = &facts[node];

        if (leaf->number < 0) {
            leaf->number = *nsets;
            by_rank[(*nsets)++] = node;
            group[facts[leaf->parent].number].set_end++;
        }
    }
}

/*
 * Give each group its slice of the leaf sets. The slice begins with the sets directly in the group;
 * the slices of member groups follow. The second loop visits groups before their members, because
 * groups have larger numbers. end[] is where the part that no member group has taken yet ends.
 */
static void cut_slices(struct inner_node *group, int ngroups, int *end)
{
    for (int g = 0; g < ngroups - 1; g++) {
        group[group[g].parent].set_end += group[g].set_end;
    }
    for (int g = ngroups - 1; g >= 0; g--) {
        const int count = group[g].set_end;

        if (g < ngroups - 1) {
            group[g].set_begin = end[group[g].parent] - count;
            end[group[g].parent] -= count;
        }
        group[g].set_end = end[g] = group[g].set_begin + count;
    }
}

enum hitop_status hitop_builder_number_sets(struct hitop_hierarchy_builder *b,
                                            struct builder_fact *facts, int *set_of, int nranks,
                                            struct builder_order *order, struct inner_node *group,
                                            struct storage *scratch)
{
    int *same, *next, *by_rank; /* next: per group, the number for its next set */

    if (!STORAGE_ARRAY(scratch, same, b->nnodes) || !STORAGE_ARRAY(scratch, next, order->ngroups) ||
        !STORAGE_ARRAY(scratch, by_rank, b->nnodes) ||
        join_leaves(b, facts, same, scratch) != HITOP_OK) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < b->nnodes; i++) {
        facts[i].number = builder_is_leaf(b, i) ? -1 : facts[i].number;
    }
    list_sets(facts, set_of, nranks, same, group, by_rank, &order->nsets);
    cut_slices(group, order->ngroups, next);
    for (int g = 0; g < order->ngroups; g++) {
        next[g] = group[g].set_begin;
    }
    for (int s = 0; s < order->nsets; s++) {
        struct builder_fact *leaf = &facts[by_rank[s]];
        leaf->number = next[facts[leaf->parent].number]++;
        order->set[leaf->number] = by_rank[s];
    }
    for (int i = 0; i < b->nnodes; i++) {
        facts[i].number = facts[same[i]].number;
    }
    for (int rank = 0; rank < nranks; rank++) {
        set_of[rank] = facts[set_of[rank]].number;
    }
    return HITOP_OK;
}
