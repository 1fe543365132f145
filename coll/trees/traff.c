/* SPDX-License-Identifier: BSD-3-Clause */
/* traff.c - cut what is below each rank into subsets, level by level. */
#include <config.h>

#include "coll/trees/traff.h"

#include <stdlib.h>

struct member {
    double weight;
    int rank;
};

/* The members begin .. end - 1. */
struct subset {
    int begin, end;
};

struct traff {
    const struct hitop_tree_args *args;
    const struct traff_rule *rule;
    struct member *member; /* all ranks but the root; each subset lies together */
    struct subset *below;  /* [size] what is below a rank */
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

/* Put the child of `up` first in its subset. */
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

/* Attach the child of one subset; what is left of the subset is below it. */
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

enum hitop_status hitop_traff_build(const struct hitop_tree_args *args,
                                    const struct traff_rule *rule, int *parent, int *order,
                                    struct hitop_diag *diag)
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
