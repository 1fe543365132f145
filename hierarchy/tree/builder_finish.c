/* SPDX-License-Identifier: BSD-3-Clause */
/* builder_finish.c - put a checked tree into the arrays of a hierarchy. */
#include <config.h>

#include "hierarchy/text/buckets.h"
#include "hierarchy/tree/builder_impl.h"

#include <stdlib.h>

/* Fill all data of the groups except their members and leaf sets. */
static void fill_groups(struct hitop_hierarchy *h, const struct hitop_hierarchy_builder *b,
                        const struct builder_fact *facts, const struct builder_order *order)
{
    for (int g = 0; g < h->ngroups; g++) {
        const struct builder_node *node = &b->nodes[order->group[g]];
        const struct builder_fact *fact = &facts[order->group[g]];

        h->group[g] = (struct inner_node){
            .level = node->level,
            .name = node->name,
            .parent = fact->parent == HITOP_NO_NODE ? HITOP_NO_NODE : facts[fact->parent].number,
            .height = fact->height,
            .first_rank = fact->first_rank,
            .count_ranks = fact->count_ranks,
            .capacity = fact->capacity,
        };
    }
    for (int g = h->ngroups - 2; g >= 0; g--) { /* groups have larger numbers than their members */
        h->group[g].depth = h->group[h->group[g].parent].depth + 1;
    }
}

/* Host, group and ranks of each leaf set. */
static enum hitop_status fill_sets(struct hitop_hierarchy *h,
                                   const struct hitop_hierarchy_builder *b,
                                   const struct builder_fact *facts,
                                   const struct builder_order *order, struct storage *scratch)
{
    int *begin, *rank; /* ranks by set */
    enum hitop_status status = HITOP_OK;

    if (!STORAGE_ARRAY(scratch, begin, h->nsets) || !STORAGE_ARRAY(scratch, rank, h->nranks)) {
        return HITOP_ERR_NOMEM;
    }
    buckets_fill(h->set_of, h->nranks, h->nsets, begin, rank);
    for (int s = 0; s < h->nsets && status == HITOP_OK; s++) {
        h->set[s] = (struct leaf_set){.host = b->nodes[order->set[s]].name,
                                      .parent = facts[facts[order->set[s]].parent].number,
                                      .range_begin = h->rank.n};
        status = hitop_ranks_add(&h->rank, rank + begin[s], begin[s + 1] - begin[s], NULL);
    }
    h->set[h->nsets].range_begin = h->rank.n;
    return status;
}

/*
 * List the members of each group, sorted by first rank: from every rank in ascending order, climb
 * through the groups whose first rank it is.
 */
static void fill_children(struct hitop_hierarchy *h, struct storage *scratch)
{
    int *next;

    if (!STORAGE_ARRAY(scratch, next, h->ngroups)) {
        return;
    }
    for (int rank = 0; rank < h->nranks; rank++) {
        h->group[h->set[h->set_of[rank]].parent + 1].child_begin++;
    }
    for (int g = 0; g < h->ngroups - 1; g++) {
        h->group[h->group[g].parent + 1].child_begin++;
    }
    for (int g = 0; g < h->ngroups; g++) {
        h->group[g + 1].child_begin += h->group[g].child_begin;
        next[g] = h->group[g].child_begin;
    }
    for (int rank = 0; rank < h->nranks; rank++) {
        int node = rank;
        for (int up = h->set[h->set_of[rank]].parent; up != HITOP_NO_NODE;
             up = h->group[up].parent) {
            h->child[next[up]++] = node;
            if (h->group[up].first_rank != rank) {
                break;
            }
            node = h->nranks + up;
        }
    }
}

/* Replace the handles of attribute owners by leaf sets and groups. */
static void fill_attrs(struct hitop_hierarchy *h, struct hitop_hierarchy_builder *b,
                       const struct builder_fact *facts)
{
    for (int i = 0; i < b->attrs.count; i++) {
        int *owner = &b->attrs.entry[i].owner.owner;

        if (*owner != ATTR_GRAPH) {
            *owner = facts[*owner].number + (builder_is_leaf(b, *owner) ? 0 : h->nsets);
        }
    }
    (void)hitop_attr_table_fill(&h->attrs, &b->attrs, &b->text);
}

static void fill_hosts(struct hitop_hierarchy *h, struct storage *storage)
{
    if (!STORAGE_ARRAY(storage, h->by_host, h->nsets)) {
        return;
    }
    for (int s = 0; s < h->nsets; s++) {
        h->by_host[s] = (struct host_entry){.host = h->set[s].host,
                                            .rank = h->rank.range[h->set[s].range_begin].first};
    }
    hitop_sort_by_host(h->by_host, h->nsets);
    for (int s = 0; s < h->nsets; s++) { /* keep the first entry of each host */
        if (h->nhosts == 0 || h->by_host[h->nhosts - 1].host != h->by_host[s].host) {
            h->by_host[h->nhosts++] = h->by_host[s];
        }
    }
}

/* Fill the arrays of a hierarchy. Before the call set_of[] has the node of each rank. */
static enum hitop_status fill(struct hitop_hierarchy *h, struct hitop_hierarchy_builder *b,
                              struct builder_fact *facts, struct builder_order *order,
                              struct storage *scratch)
{
    enum hitop_status status = hitop_builder_number_groups(b, facts, order, scratch);

    h->ngroups = order->ngroups;
    if (status != HITOP_OK || !STORAGE_ARRAY(&b->text, h->group, h->ngroups) ||
        !STORAGE_ARRAY(&b->text, h->child, h->nranks + h->ngroups)) {
        return HITOP_ERR_NOMEM;
    }
    fill_groups(h, b, facts, order);
    status = hitop_builder_number_sets(b, facts, h->set_of, h->nranks, order, h->group, scratch);
    h->nsets = order->nsets;
    if (status != HITOP_OK || !STORAGE_ARRAY(&b->text, h->set, h->nsets)) {
        return HITOP_ERR_NOMEM;
    }
    status = fill_sets(h, b, facts, order, scratch);
    if (status == HITOP_OK) {
        fill_children(h, scratch);
        fill_attrs(h, b, facts);
        fill_hosts(h, &b->text);
    }
    return status;
}

static enum hitop_status freeze(struct hitop_hierarchy_builder *b, struct hitop_hierarchy **out,
                                struct hitop_diag *diag)
{
    struct storage scratch = {0};
    struct builder_fact *facts;
    struct builder_order order = {.ngroups = 0};
    struct hitop_hierarchy *h = calloc(1, sizeof(*h));
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (h && !b->text.out_of_memory && STORAGE_ARRAY(&scratch, facts, b->nnodes) &&
        STORAGE_ARRAY(&scratch, order.group, b->nnodes) &&
        STORAGE_ARRAY(&scratch, order.set, b->nnodes)) {
        status = hitop_builder_check(b, facts, &scratch, &h->set_of, &h->nranks, diag);
        if (status == HITOP_OK) {
            status = hitop_builder_read_capacities(b, facts, &scratch, diag);
        }
        if (status == HITOP_OK) {
            status = fill(h, b, facts, &order, &scratch);
        }
    }
    if (status == HITOP_OK && !scratch.out_of_memory && !b->text.out_of_memory) {
        h->text = b->text; /* the hierarchy owns strings and arrays from now on */
        b->text = (struct storage){0};
        *out = h;
    } else {
        hitop_hierarchy_free(h);
        status = status == HITOP_OK ? HITOP_ERR_NOMEM : status;
    }
    hitop_storage_clear(&scratch);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "hierarchy: out of memory")
                                     : status;
}

enum hitop_status hitop_hierarchy_builder_finish(struct hitop_hierarchy_builder *b,
                                                 struct hitop_hierarchy **out,
                                                 struct hitop_diag *diag)
{
    enum hitop_status status;

    *out = NULL;
    status = freeze(b, out, diag);
    hitop_text_index_clear(&b->index);
    hitop_storage_clear(&b->text);
    hitop_attr_list_clear(&b->attrs);
    b->nnodes = b->nedges = b->nranges = 0;
    return status;
}
