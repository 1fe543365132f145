/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_traff.c - trees that send large or slow blocks directly: traff and traff_model.
 *
 * Idea:   sort the ranks below a parent by falling weight and divide them into subsets: a subset
 *         ends as soon as it weighs at least as much as all earlier ones together. The first one
 *         has one rank, the last one can weigh less. One rank of each subset becomes a child of
 *         the parent, and the others are placed below that child in the same way. Children are
 *         served from the last subset to the first.
 *         traff: the weight is the size of a block, and the child of a subset is the rank with the
 *         largest block. traff_model: the weight is the time of a block to the parent, so that
 *         ranks are sorted again below each parent; the child is the rank that sends all blocks of
 *         the subset to the parent in the shortest time.
 * Cost:   traff: no prices; a binomial tree when all blocks are equal, a flat one when each is as
 *         large as all smaller ones together. traff_model: two prices for each rank and each rank
 *         above it.
 * Use:    scatterv, gatherv over links that are alike (traff) or of different speed (traff_model).
 * Needs:  traff_model: prices. Without counts all blocks are equal. Equal weights go by rank.
 * Source: J. L. Traff, Hierarchical gather/scatter algorithms with graceful degradation, IPDPS
 *         2004, with ">=" instead of ">" as in its implementation in CPM, which has both trees.
 */
#include <config.h>

#include "coll/trees/blocks.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>

struct traff_rule {
    /* The weight of a rank among those below `up`. */
    double (*weight)(const struct hitop_tree_args *args, int up, int rank);

    /*
     * Which of n ranks, heaviest first, becomes the child of `up`. NULL: the first one; weights
     * must then be independent of `up`.
     */
    int (*head)(const struct hitop_tree_args *args, int up, const int *rank, int n);
};

struct member {
    double weight;
    int rank;
};

/* The members begin .. end - 1 of an array. */
struct subset {
    int begin, end;
};

struct traff {
    const struct hitop_tree_args *args;
    const struct traff_rule *rule;
    struct member *member; /* all ranks except the root; subsets are consecutive */
    struct subset *below;  /* [size] the members below a rank */
    int *ranks;            /* [size] scratch */
    int *parent, *order, norder;
};

/* The heaviest first, equal ones by rank. */
static int compare(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void weigh(const struct traff *t, int up, struct subset all)
{
    for (int i = all.begin; i < all.end; i++) {
        t->member[i].weight = t->rule->weight(t->args, up, t->member[i].rank);
    }
    qsort(&t->member[all.begin], (size_t)(all.end - all.begin), sizeof(*t->member), compare);
}

/* Move the child of `up` to the front of its subset. */
static void choose_head(const struct traff *t, int up, struct subset set)
{
    struct member *first = &t->member[set.begin];
    struct member head;
    int chosen;

    for (int i = set.begin; i < set.end; i++) {
        t->ranks[i - set.begin] = t->member[i].rank;
    }
    chosen = t->rule->head(t->args, up, t->ranks, set.end - set.begin);
    head = first[chosen];
    first[chosen] = first[0];
    first[0] = head;
}

/* Attach the child of one subset; the rest of the subset comes below the child. */
static void attach(struct traff *t, int up, struct subset set)
{
    int child;

    if (t->rule->head) {
        choose_head(t, up, set);
    }
    child = t->member[set.begin].rank;
    t->parent[child] = up;
    t->below[child] = (struct subset){set.begin + 1, set.end};
    t->order[t->norder++] = child;
}

static void cut(struct traff *t, int up, struct subset all)
{
    const int first_child = t->norder;
    double before = 0, weight = 0;
    int begin = all.begin;

    for (int i = all.begin; i < all.end; i++) {
        weight += t->member[i].weight;
        if (weight >= before || i + 1 == all.end) {
            attach(t, up, (struct subset){begin, i + 1});
            before += weight;
            weight = 0;
            begin = i + 1;
        }
    }
    for (int i = first_child, k = t->norder - 1; i < k; i++, k--) { /* the last subset first */
        const int rank = t->order[i];
        t->order[i] = t->order[k];
        t->order[k] = rank;
    }
}

static void grow(struct traff *t)
{
    const int root = t->args->root;
    int n = 0;

    for (int rank = 0; rank < t->args->size; rank++) {
        if (rank != root) {
            t->member[n++].rank = rank;
        }
    }
    t->parent[root] = HITOP_NO_RANK;
    t->below[root] = (struct subset){0, n};
    t->order[t->norder++] = root;
    weigh(t, root, t->below[root]);
    for (int i = 0; i < t->norder; i++) {
        const int rank = t->order[i];
        if (t->rule->head && i > 0) {
            weigh(t, rank, t->below[rank]);
        }
        cut(t, rank, t->below[rank]);
    }
}

static enum hitop_status build(const struct hitop_tree_args *args, const struct traff_rule *rule,
                               int *parent, int *order, struct hitop_diag *diag)
{
    const size_t n = (size_t)args->size;
    struct traff t = {.args = args,
                      .rule = rule,
                      .member = calloc(n, sizeof(*t.member)),
                      .below = calloc(n, sizeof(*t.below)),
                      .ranks = calloc(n, sizeof(*t.ranks)),
                      .parent = parent,
                      .order = order};
    enum hitop_status status = HITOP_OK;

    if (t.member && t.below && t.ranks) {
        grow(&t);
    } else {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %zu ranks: out of memory", n);
    }
    free(t.ranks);
    free(t.below);
    free(t.member);
    return status;
}

static double bytes_of(const struct hitop_tree_args *args, int up, int rank)
{
    (void)up;
    return (double)block_of(args, rank);
}

static enum hitop_status traff_by_counts(const struct hitop_tree_args *args, const double *params,
                                         int *parent, int *order, struct hitop_diag *diag)
{
    static const struct traff_rule rule = {.weight = bytes_of};

    (void)params;
    return build(args, &rule, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_traff = {
    .name = "traff",
    .summary = "subsets of doubling weight by the sizes of blocks",
    .build = traff_by_counts,
};

static double seconds_of(const struct hitop_tree_args *args, int up, int rank)
{
    return args->cost->p2p(args->cost->self, rank, up, block_of(args, rank));
}

static int quickest(const struct hitop_tree_args *args, int up, const int *rank, int n)
{
    double best_price = 0;
    size_t bytes = 0;
    int best = 0;

    for (int i = 0; i < n; i++) {
        bytes = add_bytes(bytes, block_of(args, rank[i]));
    }
    for (int i = 0; i < n; i++) {
        const double price = args->cost->p2p(args->cost->self, rank[i], up, bytes);
        if (i == 0 || price < best_price || (price == best_price && rank[i] < rank[best])) {
            best = i;
            best_price = price;
        }
    }
    return best;
}

static enum hitop_status traff_by_price(const struct hitop_tree_args *args, const double *params,
                                        int *parent, int *order, struct hitop_diag *diag)
{
    static const struct traff_rule rule = {.weight = seconds_of, .head = quickest};

    (void)params;
    return build(args, &rule, parent, order, diag);
}

const struct hitop_tree_builder hitop_tree_traff_model = {
    .name = "traff_model",
    .summary = "subsets of doubling weight by the times of blocks",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = traff_by_price,
};
