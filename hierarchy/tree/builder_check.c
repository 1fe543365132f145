/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builder_check.c - check that the nodes and edges of a builder are a tree over ranks 0..n-1.
 *
 * The first pass links children to parents. The second pass goes from the leaves to the root and
 * computes heights, smallest ranks and rank counts; nodes that it does not reach are part of a
 * cycle or above one.
 */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"
#include "hierarchy/tree/capacity.h"
#include "src/one_line.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct checker {
    const struct hitop_hierarchy_builder *b;
    struct builder_fact *node;
    int *queue; /* nodes whose members are all done */
    int *node_of_rank;
    int nranks;
    struct hitop_diag *diag;
};

struct builder_title hitop_builder_title(const struct hitop_hierarchy_builder *b, int node)
{
    const struct builder_node *n = &b->nodes[node];
    struct builder_title t;

    if (n->label && n->label[0]) {
        (void)snprintf(t.text, sizeof(t.text), "\"%s\"", n->label);
    } else if (!n->level) {
        (void)snprintf(t.text, sizeof(t.text), "of rank %d", b->ranges[n->range_begin].first);
    } else if (n->name[0]) {
        (void)snprintf(t.text, sizeof(t.text), "\"%s\"", n->name);
    } else {
        (void)snprintf(t.text, sizeof(t.text), "#%d", node);
    }
    one_line(t.text);
    return t;
}

static struct builder_title title(const struct checker *f, int node)
{
    return hitop_builder_title(f->b, node);
}

#define REFUSE(f, ...) hitop_fail((f)->diag, HITOP_ERR_FORMAT, __VA_ARGS__)

/* Count the ranks, and find the smallest one of each leaf. */
static enum hitop_status count_ranks(struct checker *f)
{
    long long nranks = 0;

    for (int i = 0; i < f->b->nnodes; i++) {
        const struct builder_node *n = &f->b->nodes[i];
        struct builder_fact *fact = &f->node[i];
        long long count = 0;

        for (int k = n->range_begin; builder_is_leaf(f->b, i) && k < n->range_begin + n->nranges;
             k++) {
            const struct hitop_rank_range *range = &f->b->ranges[k];
            if (range->first < 0) {
                return REFUSE(f, "node %s: rank %d is negative", title(f, i).text, range->first);
            }
            count += hitop_rank_range_count(range);
            fact->first_rank = range->first < fact->first_rank ? range->first : fact->first_rank;
        }
        nranks += count;
        if (nranks > HITOP_RANKS_MAX) {
            return REFUSE(f, "node %s: with its ranks there are more than %d", title(f, i).text,
                          HITOP_RANKS_MAX);
        }
        fact->count_ranks = (int)count;
    }
    f->nranks = (int)nranks;
    return nranks > 0 ? HITOP_OK : REFUSE(f, "empty: no leaves");
}

/* Enter the ranks of a leaf; two leaves must not have the same one. */
static enum hitop_status check_range(const struct checker *f, int node,
                                     const struct hitop_rank_range *range)
{
    for (long long rank = range->first; rank <= range->last && rank < f->nranks;
         rank += range->step) {
        if (f->node_of_rank[rank] != HITOP_NO_NODE) {
            return REFUSE(f, "node %s: rank %lld is already at node %s", title(f, node).text, rank,
                          title(f, f->node_of_rank[rank]).text);
        }
        f->node_of_rank[rank] = node;
    }
    return HITOP_OK;
}

static enum hitop_status check_ranks(const struct checker *f)
{
    enum hitop_status status = HITOP_OK;

    for (int rank = 0; rank < f->nranks; rank++) {
        f->node_of_rank[rank] = HITOP_NO_NODE;
    }
    for (int i = 0; i < f->b->nnodes; i++) {
        const struct builder_node *n = &f->b->nodes[i];
        for (int k = 0; builder_is_leaf(f->b, i) && k < n->nranges && status == HITOP_OK; k++) {
            status = check_range(f, i, &f->b->ranges[n->range_begin + k]);
        }
    }
    for (int rank = 0; rank < f->nranks && status == HITOP_OK; rank++) {
        if (f->node_of_rank[rank] == HITOP_NO_NODE) {
            status = REFUSE(f, "rank %d is missing: %d leaves must have ranks 0..%d", rank,
                            f->nranks, f->nranks - 1);
        }
    }
    return status;
}

static enum hitop_status link_edges(struct checker *f)
{
    for (int i = 0; i < f->b->nedges; i++) {
        const struct builder_edge e = f->b->edges[i];
        struct builder_fact *child = &f->node[e.child];

        if (builder_is_leaf(f->b, e.parent)) {
            return REFUSE(f, "node %s: a leaf cannot have members, but %s is below it",
                          title(f, e.parent).text, title(f, e.child).text);
        }
        if (child->parent == e.parent) {
            return REFUSE(f, "node %s: put below %s twice", title(f, e.child).text,
                          title(f, e.parent).text);
        }
        if (child->parent != HITOP_NO_NODE) {
            return REFUSE(f, "node %s: has two parents, %s and %s", title(f, e.child).text,
                          title(f, child->parent).text, title(f, e.parent).text);
        }
        child->parent = e.parent;
        f->node[e.parent].pending++;
    }
    return HITOP_OK;
}

/* Put all leaves into the queue; groups without members and leaves without a group are errors. */
static enum hitop_status check_nodes(struct checker *f, int *nleaves)
{
    int n = 0;

    for (int i = 0; i < f->b->nnodes; i++) {
        struct builder_fact *c = &f->node[i];
        if (!builder_is_leaf(f->b, i)) {
            if (c->pending == 0) {
                return REFUSE(f, "node %s: a group without members", title(f, i).text);
            }
            continue;
        }
        if (c->parent == HITOP_NO_NODE) {
            return REFUSE(f, "node %s: a leaf that belongs to no group", title(f, i).text);
        }
        f->queue[n++] = i;
    }
    *nleaves = n;
    return HITOP_OK;
}

static enum hitop_status climb(struct checker *f, int nleaves)
{
    int n = nleaves;
    int root = HITOP_NO_NODE;

    for (int i = 0; i < n; i++) { /* a parent is done after its last member */
        const struct builder_fact *c = &f->node[f->queue[i]];
        struct builder_fact *up;

        if (c->parent == HITOP_NO_NODE) {
            if (root != HITOP_NO_NODE) {
                return REFUSE(f, "two roots: nodes %s and %s have no parent", title(f, root).text,
                              title(f, f->queue[i]).text);
            }
            root = f->queue[i];
            continue;
        }
        up = &f->node[c->parent];
        up->height = c->height + 1 > up->height ? c->height + 1 : up->height;
        up->first_rank = c->first_rank < up->first_rank ? c->first_rank : up->first_rank;
        up->count_ranks += c->count_ranks;
        if (--up->pending == 0) {
            f->queue[n++] = c->parent;
        }
    }
    for (int i = 0; n < f->b->nnodes && i < f->b->nnodes; i++) {
        if (f->node[i].pending > 0) {
            return REFUSE(f, "node %s: part of a cycle", title(f, i).text);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_builder_check(struct hitop_hierarchy_builder *b, struct builder_fact *facts,
                                      struct storage *scratch, int **node_of_rank, int *nranks,
                                      struct hitop_diag *diag)
{
    struct checker f = {.b = b, .node = facts, .diag = diag};
    enum hitop_status status;
    int nleaves = 0;

    for (int i = 0; i < b->nnodes; i++) {
        facts[i] = (struct builder_fact){.parent = HITOP_NO_NODE, .first_rank = INT_MAX};
    }
    status = count_ranks(&f);
    if (status != HITOP_OK) {
        return status;
    }
    if (!STORAGE_ARRAY(&b->text, f.node_of_rank, f.nranks) ||
        !STORAGE_ARRAY(scratch, f.queue, b->nnodes)) {
        return HITOP_ERR_NOMEM;
    }
    *node_of_rank = f.node_of_rank;
    *nranks = f.nranks;
    status = check_ranks(&f);
    if (status == HITOP_OK) {
        status = link_edges(&f);
    }
    if (status == HITOP_OK) {
        status = check_nodes(&f, &nleaves);
    }
    return status == HITOP_OK ? climb(&f, nleaves) : status;
}

/* ---- Capacities of groups ---- */

/* The attribute "capacity" of a group, and that of the edge to its parent. */
struct said {
    const char *text[2];
};

static enum hitop_status read_group(const struct hitop_hierarchy_builder *b, int node,
                                    const struct said *said, double *capacity,
                                    struct hitop_diag *diag)
{
    double value[2] = {0};

    for (int i = 0; i < 2; i++) {
        struct hitop_diag why = HITOP_DIAG_INIT;
        if (said->text[i] && capacity_read(said->text[i], &value[i], &why) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "node %s: capacity %s",
                              hitop_builder_title(b, node).text, why.message);
        }
    }
    if (value[0] > 0 && value[1] > 0 && (value[0] < value[1] || value[0] > value[1])) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "node %s: capacity '%.40s', but that of its edge is '%.40s'",
                          hitop_builder_title(b, node).text, said->text[0], said->text[1]);
    }
    *capacity = value[0] > 0 ? value[0] : value[1];
    return HITOP_OK;
}

enum hitop_status hitop_builder_read_capacities(const struct hitop_hierarchy_builder *b,
                                                struct builder_fact *facts, struct storage *scratch,
                                                struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    struct said *said = NULL;

    for (int i = 0; i < b->attrs.count; i++) { /* a later one replaces an earlier one */
        const struct attr_entry *e = &b->attrs.entry[i];
        const int is_edge = e->owner.of == HITOP_ATTR_OF_EDGE;
        if ((!is_edge && e->owner.of != HITOP_ATTR_OF_NODE) || builder_is_leaf(b, e->owner.owner) ||
            strcmp(e->attr.key, "capacity") != 0) {
            continue;
        }
        if (!said && !STORAGE_ARRAY(scratch, said, b->nnodes)) {
            return HITOP_ERR_NOMEM;
        }
        said[e->owner.owner].text[is_edge] = e->attr.value;
    }
    for (int node = 0; said && node < b->nnodes && status == HITOP_OK; node++) {
        status = read_group(b, node, &said[node], &facts[node].capacity, diag);
    }
    return status;
}
