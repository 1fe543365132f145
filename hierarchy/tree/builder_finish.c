/* SPDX-License-Identifier: BSD-3-Clause */
/* builder_finish.c - put a checked tree into the arrays of a hierarchy. */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"

#include <stdlib.h>
#include <string.h>

static void *array(int n, size_t size)
{
    return calloc((size_t)n + 1, size);
}

/* All of the groups but their members. */
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
                                   const struct builder_order *order)
{
    int *begin = array(h->nsets, sizeof(*begin));
    int *rank = array(h->nranks, sizeof(*rank)); /* grouped by set */
    enum hitop_status status = begin && rank ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int r = 0; r < h->nranks && status == HITOP_OK; r++) {
        begin[h->set_of[r] + 1]++;
    }
    for (int s = 0; s < h->nsets && status == HITOP_OK; s++) {
        begin[s + 1] += begin[s];
        h->set[s] = (struct leaf_set){.host = b->nodes[order->set[s]].name,
                                      .parent = facts[facts[order->set[s]].parent].number,
                                      .range_begin = begin[s]};
    }
    for (int r = 0; r < h->nranks && status == HITOP_OK; r++) {
        rank[h->set[h->set_of[r]].range_begin++] = r;
    }
    for (int s = 0; s < h->nsets && status == HITOP_OK; s++) {
        h->set[s].range_begin = h->rank.n;
        status = hitop_ranks_add(&h->rank, rank + begin[s], begin[s + 1] - begin[s], NULL);
    }
    h->set[h->nsets].range_begin = h->rank.n;
    free(rank);
    free(begin);
    return status;
}

/*
 * Go up from every rank to the groups whose first rank it is, so that members are found by first
 * rank.
 */
static enum hitop_status fill_children(struct hitop_hierarchy *h)
{
    int *next = array(h->ngroups, sizeof(*next));

    if (!next) {
        return HITOP_ERR_NOMEM;
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
    free(next);
    return HITOP_OK;
}

/* Owners of attributes become leaf sets and groups in place of handles. */
static enum hitop_status fill_attrs(struct hitop_hierarchy *h, struct hitop_hierarchy_builder *b,
                                    const struct builder_fact *facts)
{
    for (int i = 0; i < b->attrs.count; i++) {
        int *owner = &b->attrs.entry[i].owner.owner;

        if (*owner != ATTR_GRAPH) {
            *owner = facts[*owner].number + (builder_is_leaf(b, *owner) ? 0 : h->nsets);
        }
    }
    return hitop_attr_table_fill(&h->attrs, &b->attrs) ? HITOP_OK : HITOP_ERR_NOMEM;
}

static int compare_hosts(const void *a, const void *b)
{
    const struct host_entry *x = a, *y = b;
    const int by_host = x->host == y->host ? 0 : strcmp(x->host, y->host);

    return by_host ? by_host : (x->rank > y->rank) - (x->rank < y->rank);
}

static enum hitop_status fill_hosts(struct hitop_hierarchy *h)
{
    h->by_host = array(h->nsets, sizeof(*h->by_host));
    if (!h->by_host) {
        return HITOP_ERR_NOMEM;
    }
    for (int s = 0; s < h->nsets; s++) {
        h->by_host[s] = (struct host_entry){.host = h->set[s].host,
                                            .rank = h->rank.range[h->set[s].range_begin].first};
    }
    qsort(h->by_host, (size_t)h->nsets, sizeof(*h->by_host), compare_hosts);
    for (int s = 0; s < h->nsets; s++) { /* of each host the first entry */
        if (h->nhosts == 0 || h->by_host[h->nhosts - 1].host != h->by_host[s].host) {
            h->by_host[h->nhosts++] = h->by_host[s];
        }
    }
    return HITOP_OK;
}

/* Fill the arrays of a hierarchy; set_of[] has the node of each rank at first. */
static enum hitop_status fill(struct hitop_hierarchy *h, struct hitop_hierarchy_builder *b,
                              struct builder_fact *facts, struct builder_order *order)
{
    enum hitop_status status = hitop_builder_number_groups(b, facts, order);

    if (status != HITOP_OK) {
        return status;
    }
    h->ngroups = order->ngroups;
    h->group = array(h->ngroups, sizeof(*h->group));
    h->child = array(h->nranks + h->ngroups, sizeof(*h->child));
    if (!h->group || !h->child) {
        return HITOP_ERR_NOMEM;
    }
    fill_groups(h, b, facts, order);
    status = hitop_builder_number_sets(b, facts, h->set_of, h->nranks, order, h->group);
    if (status != HITOP_OK) {
        return status;
    }
    h->nsets = order->nsets;
    h->set = array(h->nsets, sizeof(*h->set));
    if (!h->set) {
        return HITOP_ERR_NOMEM;
    }
    status = fill_sets(h, b, facts, order);
    if (status == HITOP_OK) {
        status = fill_children(h);
    }
    if (status == HITOP_OK) {
        status = fill_attrs(h, b, facts);
    }
    if (status == HITOP_OK) {
        status = fill_hosts(h);
    }
    return status;
}

static enum hitop_status freeze(struct hitop_hierarchy_builder *b, struct hitop_hierarchy **out,
                                struct hitop_diag *diag)
{
    struct builder_fact *facts = array(b->nnodes, sizeof(*facts));
    struct builder_order order = {.group = array(b->nnodes, sizeof(*order.group)),
                                  .set = array(b->nnodes, sizeof(*order.set))};
    struct hitop_hierarchy *h = calloc(1, sizeof(*h));
    enum hitop_status status = HITOP_ERR_NOMEM;

    if (!facts || !order.group || !order.set || !h || b->out_of_memory) {
        goto out;
    }
    status = hitop_builder_check(b, facts, &h->set_of, &h->nranks, diag);
    if (status == HITOP_OK) {
        status = hitop_builder_read_capacities(b, facts, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    status = fill(h, b, facts, &order);
    if (status == HITOP_OK) {
        h->text = b->text; /* the hierarchy owns the strings from now on */
        b->text = (struct storage){0};
        *out = h;
        h = NULL;
    }

out:
    hitop_hierarchy_free(h);
    free(order.set);
    free(order.group);
    free(facts);
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
    b->nnodes = b->nedges = b->nranges = b->out_of_memory = 0;
    return status;
}
