/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - the tree object. Shapes and builders live in tree_<name>.c. */
#include <config.h>

#include "hitop/sys/tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * The line of ranks: the in-order traversal of the tree. Subtrees of a rank that begin with a
 * lower rank stand before the rank, the others after it, both by their lowest rank.
 */
struct layout {
    int *weight;  /* [size]: number of ranks of the subtree */
    int *first;   /* [size]: where the subtree begins in the line */
    int *place;   /* [size]: where the rank stands in the line */
    int *rank_at; /* [size]: the rank at a place */
    int in_order; /* 1: each rank stands at its own number */
};

struct hitop_tree {
    int size;
    int root;
    int *parent;   /* [size] */
    int *first;    /* [size + 1]: children of r are children[first[r]] .. [first[r + 1] - 1] */
    int *children; /* [size]; the last one stays unused, a tree has size - 1 edges */
    struct layout layout;
};

/* ---- The line of ranks: a counting sort of the lowest ranks, no sort of children ---- */

/* Scratch of one traversal, all [size]. */
struct scratch {
    int *low;    /* lowest rank of each subtree */
    int *by_low; /* the ranks sorted by low */
    int *filled; /* places that the subtrees of each rank have filled so far */
};

static void weigh(const struct layout *l, const struct scratch *s, int size, const int *parent,
                  const int *order)
{
    for (int r = 0; r < size; r++) {
        l->weight[r] = 1;
        s->low[r] = r;
    }
    for (int i = size - 1; i > 0; i--) {
        const int r = order[i], up = parent[r];
        l->weight[up] += l->weight[r];
        s->low[up] = s->low[r] < s->low[up] ? s->low[r] : s->low[up];
    }
}

/* Sort the ranks by low[] with a counting sort; place[] is scratch here. */
static void sort_by_low(const struct layout *l, const struct scratch *s, int size)
{
    int total = 0;

    for (int r = 0; r < size; r++) {
        l->place[r] = 0;
    }
    for (int r = 0; r < size; r++) {
        l->place[s->low[r]]++;
    }
    for (int r = 0; r < size; r++) {
        const int here = l->place[r];
        l->place[r] = total;
        total += here;
    }
    for (int r = 0; r < size; r++) {
        s->by_low[l->place[s->low[r]]++] = r;
    }
}

/* Set first[] relative to the parent's, and place[] relative to the rank's own first[]. */
static void arrange(const struct layout *l, const struct scratch *s, int size, const int *parent)
{
    for (int r = 0; r < size; r++) {
        l->place[r] = 0;
        s->filled[r] = 0;
    }
    for (int i = 0; i < size; i++) {
        const int r = s->by_low[i], up = parent[r];
        if (up == HITOP_NO_RANK) {
            l->first[r] = 0;
            continue;
        }
        l->first[r] = s->filled[up] + (s->low[r] > up);
        s->filled[up] += l->weight[r];
        if (s->low[r] < up) {
            l->place[up] += l->weight[r];
        }
    }
}

static void fill(struct layout *l, const struct scratch *s, int size, const int *parent,
                 const int *order)
{
    weigh(l, s, size, parent, order);
    sort_by_low(l, s, size);
    arrange(l, s, size, parent);
    l->in_order = 1;
    for (int i = 0; i < size; i++) {
        const int r = order[i];
        if (i > 0) {
            l->first[r] += l->first[parent[r]];
        }
        l->place[r] += l->first[r];
        l->rank_at[l->place[r]] = r;
        l->in_order &= l->place[r] == r;
    }
}

static int layout_init(struct layout *layout, int size, const int *parent, const int *order)
{
    const size_t n = (size_t)size;
    const struct scratch s = {calloc(n, sizeof(int)), calloc(n, sizeof(int)),
                              calloc(n, sizeof(int))};
    int done = 0;

    *layout = (struct layout){calloc(n, sizeof(int)), calloc(n, sizeof(int)),
                              calloc(n, sizeof(int)), calloc(n, sizeof(int)), 0};
    if (s.low && s.by_low && s.filled && layout->weight && layout->first && layout->place &&
        layout->rank_at) {
        fill(layout, &s, size, parent, order);
        done = 1;
    }
    free(s.filled);
    free(s.by_low);
    free(s.low);
    return done;
}

static void layout_fini(struct layout *layout)
{
    free(layout->rank_at);
    free(layout->place);
    free(layout->first);
    free(layout->weight);
}

/* ---- The tree ---- */

/* order[] must name every rank once, the root first, and parents before their children. */
static enum hitop_status check_order(const char *name, int size, int root, const int *parent,
                                     const int *order, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    unsigned char *seen = calloc((size_t)size, 1);

    if (!seen) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    for (int i = 0; i < size && status == HITOP_OK; i++) {
        const int rank = order[i];
        const int in_range = rank >= 0 && rank < size && !seen[rank];
        const int up = in_range ? parent[rank] : HITOP_NO_RANK;
        const int attached =
            i == 0 ? rank == root && up == HITOP_NO_RANK : up >= 0 && up < size && seen[up];
        if (!in_range || !attached) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID,
                           "%s: gave rank %d the parent %d, which makes no tree", name, rank, up);
        } else {
            seen[rank] = 1;
        }
    }
    free(seen);
    return status;
}

/*
 * Make the lists of children: one array with the start of each list; order[] decides the order
 * within a list.
 */
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

static struct hitop_tree *allocate(int size, int root)
{
    const size_t n = (size_t)size;
    struct hitop_tree *tree = calloc(1, sizeof(*tree));

    if (!tree) {
        return NULL;
    }
    tree->size = size;
    tree->root = root;
    tree->parent = calloc(n, sizeof(*tree->parent));
    tree->first = calloc(n + 1, sizeof(*tree->first));
    tree->children = calloc(n, sizeof(*tree->children));
    if (!tree->parent || !tree->first || !tree->children) {
        hitop_tree_free(tree);
        return NULL;
    }
    return tree;
}

enum hitop_status hitop_tree_make(const char *name, int size, int root, const int *parent,
                                  const int *order, struct hitop_tree **out,
                                  struct hitop_diag *diag)
{
    struct hitop_tree *tree = NULL;
    enum hitop_status status = check_order(name, size, root, parent, order, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    tree = allocate(size, root);
    if (!tree || !layout_init(&tree->layout, size, parent, order)) {
        hitop_tree_free(tree);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    memcpy(tree->parent, parent, (size_t)size * sizeof(*parent));
    make_lists(tree, order);
    *out = tree;
    return HITOP_OK;
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
