/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff_match.c - match the groups of two hierarchies.
 *
 * The criteria are applied from the most to the least reliable one: a name that occurs once, a name
 * within the same group, the same ranks, more than half of the same ranks. Each group is matched at
 * most once.
 */
#include <config.h>

#include "hierarchy/edit/diff_match.h"

#include <stdlib.h>
#include <string.h>

static void match(struct diff *d, int a, int b)
{
    d->a.match[a] = b;
    d->b.match[b] = a;
}

static int is_open(const struct diff_side *side, int node)
{
    return node != HITOP_NO_NODE && side->match[node] == HITOP_NO_NODE;
}

static int compare_words(const struct hitop_hierarchy *g, int a, const struct hitop_hierarchy *h,
                         int b)
{
    const int order = strcmp(hitop_hierarchy_level(g, a), hitop_hierarchy_level(h, b));

    return order ? order : strcmp(hitop_hierarchy_name(g, a), hitop_hierarchy_name(h, b));
}

/* A group, and the matched group that contains it. */
struct named {
    const struct hitop_hierarchy *h;
    int within; /* only groups with equal values are matched */
    int node;
};

static int compare_keys(const struct named *x, const struct named *y)
{
    return x->within != y->within ? (x->within < y->within ? -1 : 1)
                                  : compare_words(x->h, x->node, y->h, y->node);
}

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = compare_keys(x, y);

    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* The number of consecutive groups, from list[i], that have the same key. */
static int count_alike(const struct named *list, int n, int i)
{
    int end = i + 1;

    while (end < n && compare_keys(&list[i], &list[end]) == 0) {
        end++;
    }
    return end - i;
}

/* Match groups whose key occurs once in each list. */
static void match_lists(struct diff *d, struct named *a, int na, struct named *b, int nb)
{
    qsort(a, (size_t)na, sizeof(*a), compare_named);
    qsort(b, (size_t)nb, sizeof(*b), compare_named);
    for (int i = 0, k = 0; i < na && k < nb;) {
        const int order = compare_keys(&a[i], &b[k]);
        const int alike_a = count_alike(a, na, i), alike_b = count_alike(b, nb, k);

        if (order == 0 && alike_a == 1 && alike_b == 1) {
            match(d, a[i].node, b[k].node);
        }
        i += order <= 0 ? alike_a : 0;
        k += order >= 0 ? alike_b : 0;
    }
}

/* Match names that occur once on either side, in any group. */
static void match_names(struct diff *d, struct named *a, struct named *b)
{
    struct diff_side *side[2] = {&d->a, &d->b};
    struct named *list[2] = {a, b};
    int n[2] = {0, 0};

    for (int s = 0; s < 2; s++) {
        const struct hitop_hierarchy *h = side[s]->h;
        for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
            if (hitop_hierarchy_name(h, node)[0]) {
                list[s][n[s]++] = (struct named){h, 0, node};
            }
        }
    }
    match_lists(d, a, n[0], b, n[1]);
}

/* List unmatched members of matched groups; within is the number of the matched group in b. */
static int list_members(const struct diff_side *side, int is_a, struct named *list)
{
    const struct hitop_hierarchy *h = side->h;
    int n = 0;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_root(h); node++) {
        const int up = hitop_hierarchy_parent(h, node);
        if (is_open(side, node) && !is_open(side, up)) {
            list[n++] = (struct named){h, is_a ? side->match[up] : up, node};
        }
    }
    return n;
}

/* Match names within matched groups, level by level. */
static void match_members(struct diff *d, struct named *a, struct named *b)
{
    const int height = hitop_hierarchy_height(d->a.h, hitop_hierarchy_root(d->a.h));

    for (int round = 0; round < height; round++) {
        const int na = list_members(&d->a, 1, a), nb = list_members(&d->b, 0, b);
        if (na == 0 || nb == 0) {
            return;
        }
        match_lists(d, a, na, b, nb);
    }
}

/*
 * Add to the counts of b's groups the number of ranks that they share with a node of a; sign -1
 * subtracts them.
 */
static void count_ranks(struct diff *d, int node, int sign)
{
    const int first = d->a.begin[node];
    const int end = first + hitop_hierarchy_count_ranks(d->a.h, node);

    for (int place = first; place < end; place++) {
        int at = d->a.match[d->a.rank_at[place]];
        while (at != HITOP_NO_NODE) {
            d->b.count[at] += sign;
            at = hitop_hierarchy_parent(d->b.h, at);
        }
    }
}

/* Similarity (Jaccard index) in 1/1000: ranks in both groups divided by ranks in either. */
static int likeness(const struct diff *d, int a, int b)
{
    const long both = d->b.count[b];
    const long either = (long)hitop_hierarchy_count_ranks(d->a.h, a) +
                        hitop_hierarchy_count_ranks(d->b.h, b) - both;

    return (int)(1000 * both / either);
}

/*
 * The unmatched group of b that is most similar to a, if its similarity is at least `least`. Of
 * equally similar groups, one of the same level is preferred.
 */
static int find_like(const struct diff *d, int a, int least)
{
    const int first = d->a.begin[a], end = first + hitop_hierarchy_count_ranks(d->a.h, a);
    const char *level = hitop_hierarchy_level(d->a.h, a);
    int best = HITOP_NO_NODE, best_score = 0;

    for (int place = first; place < end; place++) {
        for (int at = d->a.match[d->a.rank_at[place]]; at != HITOP_NO_NODE;
             at = hitop_hierarchy_parent(d->b.h, at)) {
            const int is_same = strcmp(hitop_hierarchy_level(d->b.h, at), level) == 0;
            const int like =
                at >= hitop_hierarchy_nranks(d->b.h) && is_open(&d->b, at) ? likeness(d, a, at) : 0;
            if (like >= least && 2 * like + is_same > best_score) {
                best = at;
                best_score = 2 * like + is_same;
            }
        }
    }
    return best;
}

static void match_ranks_of(struct diff *d, int least)
{
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        int b = HITOP_NO_NODE;

        if (is_open(&d->a, a)) {
            count_ranks(d, a, 1);
            b = find_like(d, a, least);
            count_ranks(d, a, -1);
        }
        if (b != HITOP_NO_NODE) {
            match(d, a, b);
        }
    }
}

void hitop_diff_match_groups(struct diff *d)
{
    enum { ALL = 1000, MOST = 501 };
    struct named *a, *b;
    const int root_a = hitop_hierarchy_root(d->a.h), root_b = hitop_hierarchy_root(d->b.h);

    if (!STORAGE_ARRAY(&d->scratch, a, hitop_hierarchy_nnodes(d->a.h)) ||
        !STORAGE_ARRAY(&d->scratch, b, hitop_hierarchy_nnodes(d->b.h))) {
        return;
    }
    match_names(d, a, b);
    if (is_open(&d->a, root_a) && is_open(&d->b, root_b) &&
        compare_words(d->a.h, root_a, d->b.h, root_b) == 0) {
        match(d, root_a, root_b);
    }
    match_members(d, a, b);
    match_ranks_of(d, ALL);
    match_ranks_of(d, MOST);
    match_members(d, a, b);
}
