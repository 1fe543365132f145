/* SPDX-License-Identifier: BSD-3-Clause */
/* builder_join.c - find leaves that differ in their ranks only, by a hash table. */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"

#include <stdint.h>

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

enum hitop_status hitop_builder_join_leaves(struct hitop_hierarchy_builder *b,
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
