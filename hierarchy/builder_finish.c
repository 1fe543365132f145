/* SPDX-License-Identifier: BSD-3-Clause */
/* builder_finish.c - number the nodes of a checked tree and lay them out in arrays. */
#include <config.h>

#include "builder_impl.h"

#include <stdlib.h>
#include <string.h>

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

/* A leaf's number is its rank. Groups follow by height, then by smallest rank: no two are alike. */
static enum hitop_status number_nodes(const struct hitop_hierarchy_builder *b,
                                      struct builder_fact *facts, int nleaves)
{
    struct position *position = calloc((size_t)b->nnodes, sizeof(*position));
    int ngroups = 0;

    if (!position) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < b->nnodes; i++) {
        if (builder_is_leaf(b, i)) {
            facts[i].number = facts[i].first_rank;
        } else {
            position[ngroups++] = (struct position){facts[i].height, facts[i].first_rank, i};
        }
    }
    qsort(position, (size_t)ngroups, sizeof(*position), compare_positions);
    for (int i = 0; i < ngroups; i++) {
        facts[position[i].node].number = nleaves + i;
    }
    free(position);
    return HITOP_OK;
}

static struct hitop_hierarchy *allocate(int nnodes, int nranks)
{
    const size_t n = (size_t)nnodes;
    struct hitop_hierarchy *h = calloc(1, sizeof(*h));

    if (!h) {
        return NULL;
    }
    h->nnodes = nnodes;
    h->nranks = nranks;
    h->parent = calloc(n, sizeof(int));
    h->child_begin = calloc(n + 1, sizeof(int));
    h->child = calloc(n, sizeof(int));
    h->depth = calloc(n, sizeof(int));
    h->height = calloc(n, sizeof(int));
    h->first_rank = calloc(n, sizeof(int));
    h->count_ranks = calloc(n, sizeof(int));
    h->level = calloc(n, sizeof(*h->level));
    h->name = calloc(n, sizeof(*h->name));
    h->by_host = calloc((size_t)nranks, sizeof(*h->by_host));
    if (!h->parent || !h->child_begin || !h->child || !h->depth || !h->height || !h->first_rank ||
        !h->count_ranks || !h->level || !h->name || !h->by_host) {
        hitop_hierarchy_free(h);
        return NULL;
    }
    return h;
}

static void fill_nodes(struct hitop_hierarchy *h, const struct hitop_hierarchy_builder *b,
                       const struct builder_fact *facts)
{
    for (int i = 0; i < b->nnodes; i++) {
        const struct builder_fact *f = &facts[i];
        const int node = f->number;

        h->parent[node] = f->parent == HITOP_NO_NODE ? HITOP_NO_NODE : facts[f->parent].number;
        h->height[node] = f->height;
        h->first_rank[node] = f->first_rank;
        h->count_ranks[node] = f->count_ranks;
        h->level[node] = builder_is_leaf(b, i) ? "rank" : b->nodes[i].level;
        h->name[node] = b->nodes[i].name;
        if (f->parent != HITOP_NO_NODE) {
            h->child_begin[h->parent[node] + 1]++;
        }
    }
}

/* Parents have larger numbers than their children, and every node is found by its first rank. */
static void fill_children(struct hitop_hierarchy *h, int *filled)
{
    for (int node = 0; node < h->nnodes; node++) {
        h->child_begin[node + 1] += h->child_begin[node];
    }
    for (int node = h->nnodes - 2; node >= 0; node--) {
        h->depth[node] = h->depth[h->parent[node]] + 1;
    }
    for (int rank = 0; rank < h->nranks; rank++) {
        for (int node = rank, up = h->parent[node]; up != HITOP_NO_NODE;
             node = up, up = h->parent[node]) {
            h->child[h->child_begin[up] + filled[up]++] = node;
            if (h->first_rank[up] != rank) {
                break;
            }
        }
    }
}

/* From handles to numbers. */
static int fill_attrs(struct hitop_hierarchy *h, struct hitop_hierarchy_builder *b,
                      const struct builder_fact *facts)
{
    for (int i = 0; i < b->attrs.count; i++) {
        int *owner = &b->attrs.entry[i].owner.owner;

        *owner = *owner == ATTR_GRAPH ? ATTR_GRAPH : facts[*owner].number;
    }
    return attr_table_fill(&h->attrs, &b->attrs);
}

static int compare_hosts(const void *a, const void *b)
{
    const struct host_rank *x = a, *y = b;
    const int by_host = strcmp(x->host, y->host);

    return by_host ? by_host : (x->rank > y->rank) - (x->rank < y->rank);
}

static void fill_hosts(struct hitop_hierarchy *h)
{
    for (int rank = 0; rank < h->nranks; rank++) {
        h->by_host[rank] = (struct host_rank){.host = h->name[rank], .rank = rank};
    }
    qsort(h->by_host, (size_t)h->nranks, sizeof(*h->by_host), compare_hosts);
}

static enum hitop_status freeze(struct hitop_hierarchy_builder *b, struct hitop_hierarchy **out,
                                struct hitop_diag *diag)
{
    struct builder_fact *facts = calloc((size_t)b->nnodes + 1, sizeof(*facts));
    int *filled = calloc((size_t)b->nnodes + 1, sizeof(*filled));
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status = HITOP_ERR_NOMEM;
    int nleaves = 0;

    if (!facts || !filled || b->out_of_memory) {
        goto out;
    }
    status = builder_check(b, facts, &nleaves, diag);
    if (status == HITOP_OK) {
        status = number_nodes(b, facts, nleaves);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    h = allocate(b->nnodes, nleaves);
    if (!h || !fill_attrs(h, b, facts)) {
        hitop_hierarchy_free(h);
        status = HITOP_ERR_NOMEM;
        goto out;
    }
    fill_nodes(h, b, facts);
    fill_children(h, filled);
    fill_hosts(h);
    h->text = b->text; /* the strings change owner */
    b->text = (struct text_pool){0};
    *out = h;

out:
    free(filled);
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
    text_pool_clear(&b->text);
    attr_list_clear(&b->attrs);
    b->nnodes = b->nedges = b->out_of_memory = 0;
    return status;
}
