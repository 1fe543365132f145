/* SPDX-License-Identifier: BSD-3-Clause */
/* host_groups.c - the groups above the hosts of a hierarchy, taken out and put back. */
#include <config.h>

#include "models/discover/discovery.h"

#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNKNOWN = -1, SEVERAL = -2 };

/* Hosts in the order of their first ranks. */
struct host_map {
    int nhosts;
    int *of_node; /* per node of the hierarchy: its only host, or SEVERAL */
};

void hitop_host_groups_clear(struct hitop_host_groups *groups)
{
    free(groups->innermost);
    free(groups->group);
    *groups = (struct hitop_host_groups){.nhosts = 0};
}

static void map_clear(struct host_map *map)
{
    free(map->of_node);
}

/* Members come before their groups in the numbering of nodes. 0 when out of memory. */
static int map_fill(struct host_map *map, const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);

    *map = (struct host_map){.of_node = calloc((size_t)nnodes, sizeof(int))};
    if (!map->of_node) {
        return 0;
    }
    for (int rank = 0; rank < nranks; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        map->of_node[rank] = first == rank ? map->nhosts++ : map->of_node[first];
    }
    for (int node = nranks; node < nnodes; node++) {
        map->of_node[node] = UNKNOWN;
    }
    for (int node = 0; node < nnodes - 1; node++) {
        int *enclosing = &map->of_node[hitop_hierarchy_parent(h, node)];
        if (*enclosing == UNKNOWN) {
            *enclosing = map->of_node[node];
        } else if (*enclosing != map->of_node[node]) {
            *enclosing = SEVERAL;
        }
    }
    return 1;
}

static int is_above_hosts(const struct host_map *map, const struct hitop_hierarchy *h, int node)
{
    /* the root is, even when there is one host only */
    return map->of_node[node] == SEVERAL || node == hitop_hierarchy_root(h);
}

static int is_fixed(const struct hitop_hierarchy *h, int node)
{
    const char *text = hitop_hierarchy_attr(h, node, "confidence");
    double confidence = 0;

    return node != hitop_hierarchy_root(h) && text &&
           hitop_text_double(text, 0, 1, &confidence, NULL) == HITOP_OK && confidence == 1;
}

enum hitop_status hitop_host_groups_of(const struct hitop_hierarchy *h,
                                       struct hitop_host_groups *out, struct hitop_diag *diag)
{
    const int root = hitop_hierarchy_root(h), nnodes = hitop_hierarchy_nnodes(h);
    struct host_map map = {0};
    int *number = calloc((size_t)nnodes, sizeof(*number));
    int filled = map_fill(&map, h);

    *out = (struct hitop_host_groups){.nhosts = map.nhosts};
    out->group = calloc((size_t)nnodes, sizeof(*out->group));
    out->innermost = calloc((size_t)map.nhosts + 1, sizeof(*out->innermost));
    if (!filled || !number || !out->group || !out->innermost) {
        hitop_host_groups_clear(out);
        free(number);
        map_clear(&map);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
    }
    for (int node = root; node >= 0; node--) { /* groups come before their members */
        const int parent = hitop_hierarchy_parent(h, node);
        if (is_above_hosts(&map, h, node)) {
            number[node] = out->ngroups;
            out->group[out->ngroups++] = (struct hitop_host_group){
                .parent = parent >= 0 ? number[parent] : -1, .is_fixed = is_fixed(h, node)};
        } else if (is_above_hosts(&map, h, parent)) {
            out->innermost[map.of_node[node]] = number[parent];
        }
    }
    free(number);
    map_clear(&map);
    return HITOP_OK;
}

/* A hierarchy in the making. */
struct change {
    const struct hitop_hierarchy *h;
    const struct hitop_host_groups *groups;
    struct host_map map;
    struct hitop_hierarchy_builder *b;
    int *same;   /* per new group: the old one with the same hosts, or HITOP_NO_NODE */
    int *ranks;  /* per new group: number of ranks in it */
    int *handle; /* per new group */
    int *copy;   /* per old node inside a host that is a group: handle */
};

/* Find the old groups that hold the same hosts as new ones. */
static void find_same(struct change *c)
{
    const int nranks = hitop_hierarchy_nranks(c->h);

    for (int i = 0; i < c->groups->ngroups; i++) {
        c->same[i] = HITOP_NO_NODE;
    }
    for (int rank = 0; rank < nranks; rank++) {
        for (int i = c->groups->innermost[c->map.of_node[rank]]; i >= 0;
             i = c->groups->group[i].parent) {
            const int before = c->same[i];
            c->ranks[i]++;
            /* the lowest node that holds all ranks so far; any rank represents the node before */
            c->same[i] =
                before == HITOP_NO_NODE
                    ? rank
                    : hitop_hierarchy_lca(c->h, hitop_hierarchy_first_rank(c->h, before), rank);
            if (before != HITOP_NO_NODE &&
                hitop_hierarchy_height(c->h, before) > hitop_hierarchy_height(c->h, c->same[i])) {
                c->same[i] = before;
            }
        }
    }
    c->same[0] = hitop_hierarchy_root(c->h); /* also if there is only one rank */
    for (int i = 1; i < c->groups->ngroups; i++) {
        if (c->same[i] < nranks || hitop_hierarchy_count_ranks(c->h, c->same[i]) != c->ranks[i]) {
            c->same[i] = HITOP_NO_NODE;
        }
    }
}

static void add_group(struct change *c, int i)
{
    const struct hitop_host_group *g = &c->groups->group[i];
    const int old = c->same[i];
    char text[32];

    c->handle[i] =
        hitop_hierarchy_builder_group(c->b,
                                      old != HITOP_NO_NODE ? hitop_hierarchy_level(c->h, old)
                                      : g->parent < 0      ? "root"
                                                           : "group",
                                      old != HITOP_NO_NODE ? hitop_hierarchy_name(c->h, old) : "");
    if (old != HITOP_NO_NODE) {
        hitop_hierarchy_builder_copy_attrs(c->b, c->handle[i], c->h, old);
    }
    if (g->parent >= 0) {
        hitop_hierarchy_builder_edge(c->b, c->handle[i], c->handle[g->parent]);
    }
    if (i == 0 && c->groups->npairs > 0) {
        (void)snprintf(text, sizeof(text), "%d", c->groups->npairs);
        hitop_hierarchy_builder_attr(c->b, c->handle[i], "measured_pairs", text);
    }
    if (!(g->seconds > 0)) {
        return;
    }
    hitop_text_format_number(1e6 * g->seconds, 4, text, sizeof(text));
    hitop_hierarchy_builder_attr(c->b, c->handle[i], "latency_us", text);
    if (!g->is_fixed) {
        hitop_text_format_number(g->confidence, 2, text, sizeof(text));
        hitop_hierarchy_builder_attr(c->b, c->handle[i], "confidence", text);
        hitop_hierarchy_builder_attr(c->b, c->handle[i], "source", "measured");
    }
}

/* Attach a node inside a host, or the host itself, unchanged. */
static void add_inside(struct change *c, int node, int handle)
{
    const int parent = hitop_hierarchy_parent(c->h, node);
    const int is_host = is_above_hosts(&c->map, c->h, parent);

    hitop_hierarchy_builder_copy_attrs(c->b, handle, c->h, node);
    hitop_hierarchy_builder_edge(c->b, handle,
                                 is_host ? c->handle[c->groups->innermost[c->map.of_node[node]]]
                                         : c->copy[parent]);
}

static void add_all_inside(struct change *c)
{
    const int root = hitop_hierarchy_root(c->h);
    int nsets, nranges;

    for (int node = root; node >= hitop_hierarchy_nranks(c->h); node--) { /* groups come first */
        if (!is_above_hosts(&c->map, c->h, node)) {
            c->copy[node] = hitop_hierarchy_builder_group(c->b, hitop_hierarchy_level(c->h, node),
                                                          hitop_hierarchy_name(c->h, node));
            add_inside(c, node, c->copy[node]);
        }
    }
    (void)hitop_hierarchy_leaf_sets(c->h, root, &nsets);
    for (int set = 0; set < nsets; set++) {
        const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(c->h, set, &nranges);
        const char *host = hitop_hierarchy_host(c->h, range->first);
        add_inside(c, range->first, hitop_hierarchy_builder_leaves(c->b, range, nranges, host));
    }
}

static enum hitop_status change_begin(struct change *c, struct hitop_diag *diag)
{
    const size_t n = (size_t)c->groups->ngroups + 1;

    c->b = hitop_hierarchy_builder_new();
    c->same = calloc(n, sizeof(int));
    c->ranks = calloc(n, sizeof(int));
    c->handle = calloc(n, sizeof(int));
    c->copy = calloc((size_t)hitop_hierarchy_nnodes(c->h), sizeof(int));
    if (!c->b || !c->same || !c->ranks || !c->handle || !c->copy || !map_fill(&c->map, c->h)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
    }
    if (c->map.nhosts != c->groups->nhosts) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "groups of %d hosts for a hierarchy of %d",
                          c->groups->nhosts, c->map.nhosts);
    }
    return HITOP_OK;
}

enum hitop_status hitop_host_groups_apply(const struct hitop_hierarchy *h,
                                          const struct hitop_host_groups *groups,
                                          struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct change c = {.h = h, .groups = groups};
    enum hitop_status status = change_begin(&c, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        find_same(&c);
        for (int i = 0; i < groups->ngroups; i++) {
            add_group(&c, i);
        }
        add_all_inside(&c);
        hitop_hierarchy_builder_copy_graph(c.b, h);
        status = hitop_hierarchy_builder_finish(c.b, out, diag);
    }
    map_clear(&c.map);
    free(c.copy);
    free(c.handle);
    free(c.ranks);
    free(c.same);
    hitop_hierarchy_builder_free(c.b);
    return status;
}
