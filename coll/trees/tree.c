/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - the tree object with its registry. Shapes and builders live in tree_<name>.c. */
#include <config.h>

#include "layout.h"

#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_tree_builder symbol;
#include "tree_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
static const struct hitop_tree_builder *const builders[] = {
#include "tree_registry.inc"
    NULL};
#undef HITOP_ENTRY

struct hitop_tree {
    int size;
    int root;
    int *parent;   /* [size] */
    int *first;    /* [size + 1]: children of r are children[first[r]] .. [first[r + 1] - 1] */
    int *children; /* [size]; the last one stays unused, a tree has size - 1 edges */
    struct layout layout;
};

const struct hitop_tree_builder *const *hitop_tree_builders(void)
{
    return builders;
}

enum hitop_status hitop_tree_builder_find(const char *name, const struct hitop_tree_builder **out,
                                          struct hitop_diag *diag)
{
    char valid[384] = "";

    *out = NULL;
    for (size_t i = 0; builders[i]; i++) {
        if (strcmp(builders[i]->name, name) == 0) {
            *out = builders[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), builders[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no tree is called '%.64s'; valid: %s", name,
                      valid);
}

static enum hitop_status check_args(const struct hitop_tree_builder *b,
                                    const struct hitop_tree_args *a, struct hitop_diag *diag)
{
    if (a->size < 1 || a->root < 0 || a->root >= a->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%s: root %d with %d ranks makes no tree; at least one rank and a root "
                          "in 0..ranks-1 are needed",
                          b->name, a->root, a->size);
    }
    if ((b->needs & HITOP_TREE_NEEDS_COST) && (!a->cost || a->cost->nranks < a->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: needs prices for %d ranks, has them for %d",
                          b->name, a->size, a->cost ? a->cost->nranks : 0);
    }
    return HITOP_OK;
}

/* order[] must name every rank once, the root first, and parents before their children. */
static enum hitop_status check_order(const struct hitop_tree_builder *b,
                                     const struct hitop_tree_args *a, const int *parent,
                                     const int *order, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    unsigned char *seen = calloc((size_t)a->size, 1);

    if (!seen) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", b->name);
    }
    for (int i = 0; i < a->size && status == HITOP_OK; i++) {
        const int rank = order[i];
        const int in_range = rank >= 0 && rank < a->size && !seen[rank];
        const int up = in_range ? parent[rank] : HITOP_NO_RANK;
        const int attached =
            i == 0 ? rank == a->root && up == HITOP_NO_RANK : up >= 0 && up < a->size && seen[up];
        if (!in_range || !attached) {
            status = hitop_fail(diag, HITOP_ERR_INVALID,
                                "%s: gave rank %d the parent %d, which makes no tree", b->name,
                                rank, up);
        } else {
            seen[rank] = 1;
        }
    }
    free(seen);
    return status;
}

/* Child lists as one array with the start of each list; order[] decides the order within a list. */
static void make_lists(struct hitop_tree *tree, const int *order)
{
    const int n = tree->size;

    for (int r = 0; r < n; r++) {
        if (tree->parent[r] != HITOP_NO_RANK) {
            tree->first[tree->parent[r] + 1]++;
        }
    }
    for (int r = 0; r < n; r++) {
        tree->first[r + 1] += tree->first[r];
    }
    for (int i = n - 1; i > 0; i--) { /* fill each list from its end */
        tree->children[--tree->first[tree->parent[order[i]] + 1]] = order[i];
    }
    /* Every end has moved back to the start of its list, one place too far to the right. */
    memmove(&tree->first[0], &tree->first[1], (size_t)n * sizeof(tree->first[0]));
    tree->first[n] = n - 1;
}

static struct hitop_tree *allocate(const struct hitop_tree_args *args)
{
    const size_t n = (size_t)args->size;
    struct hitop_tree *tree = calloc(1, sizeof(*tree));

    if (!tree) {
        return NULL;
    }
    tree->size = args->size;
    tree->root = args->root;
    tree->parent = calloc(n, sizeof(*tree->parent));
    tree->first = calloc(n + 1, sizeof(*tree->first));
    tree->children = calloc(n, sizeof(*tree->children));
    if (!tree->parent || !tree->first || !tree->children) {
        hitop_tree_free(tree);
        return NULL;
    }
    return tree;
}

enum hitop_status hitop_tree_build(const char *name, const struct hitop_tree_args *args,
                                   const double *params, struct hitop_tree **out,
                                   struct hitop_diag *diag)
{
    const struct hitop_tree_builder *b;
    struct hitop_tree *tree = NULL;
    double *values = NULL;
    int *order = NULL;
    enum hitop_status status;

    *out = NULL;
    status = hitop_tree_builder_find(name, &b, diag);
    if (status == HITOP_OK) {
        status = check_args(b, args, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    tree = allocate(args);
    values = calloc(b->nparams + 1, sizeof(*values));
    order = calloc((size_t)args->size, sizeof(*order));
    if (!tree || !values || !order) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
        goto out;
    }
    status = hitop_params_check(name, b->params, b->nparams, params, values, diag);
    if (status == HITOP_OK) {
        status = b->build(args, values, tree->parent, order, diag);
    }
    if (status == HITOP_OK) {
        status = check_order(b, args, tree->parent, order, diag);
    }
    if (status == HITOP_OK && !layout_init(&tree->layout, args->size, tree->parent, order)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    make_lists(tree, order);
    *out = tree;
    tree = NULL;

out:
    free(order);
    free(values);
    hitop_tree_free(tree);
    return status;
}

void hitop_tree_free(struct hitop_tree *tree)
{
    if (!tree) {
        return;
    }
    layout_fini(&tree->layout);
    free(tree->parent);
    free(tree->first);
    free(tree->children);
    free(tree);
}

int hitop_tree_size(const struct hitop_tree *tree)
{
    return tree->size;
}

int hitop_tree_root(const struct hitop_tree *tree)
{
    return tree->root;
}

int hitop_tree_parent(const struct hitop_tree *tree, int rank)
{
    assert(rank >= 0 && rank < tree->size);
    return tree->parent[rank];
}

const int *hitop_tree_children(const struct hitop_tree *tree, int rank, int *count)
{
    assert(rank >= 0 && rank < tree->size);
    *count = tree->first[rank + 1] - tree->first[rank];
    return &tree->children[tree->first[rank]];
}

int hitop_tree_weight(const struct hitop_tree *tree, int rank)
{
    assert(rank >= 0 && rank < tree->size);
    return tree->layout.weight[rank];
}

int hitop_tree_first_place(const struct hitop_tree *tree, int rank)
{
    assert(rank >= 0 && rank < tree->size);
    return tree->layout.first[rank];
}

int hitop_tree_place(const struct hitop_tree *tree, int rank)
{
    assert(rank >= 0 && rank < tree->size);
    return tree->layout.place[rank];
}

int hitop_tree_rank_at(const struct hitop_tree *tree, int place)
{
    assert(place >= 0 && place < tree->size);
    return tree->layout.rank_at[place];
}

int hitop_tree_in_order(const struct hitop_tree *tree)
{
    return tree->layout.in_order;
}
