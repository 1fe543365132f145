/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info_diff_pairs.c - the pairs of ranks by which two models are compared.
 *
 * Models of one hierarchy differ in their classes only, and one pair of each will do. Else all pairs count, or,
 * where they are too many, some: as many of each level around a rank, because nearly all pairs of a large
 * machine meet at its root.
 */
#include <config.h>

#include "tools/info/info_diff.h"

#include "models/model/figures.h"

#include <stdlib.h>

static void add(struct diff_pairs *out, const struct hitop_hierarchy *h,
                const struct info_levels *levels, int i, int j)
{
    const int group = hitop_hierarchy_lca(h, i, j);

    out->pair[out->n++] =
        (struct diff_pair){i, j, levels->of_group[group - hitop_hierarchy_nranks(h)]};
}

/* How many classes of the model begin at each group; NULL when out of memory. */
static int *count_classes(const struct hitop_model *model)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);
    int *count = calloc((size_t)(hitop_hierarchy_nnodes(h) - nranks), sizeof(*count));

    for (int i = 0; count && i < hitop_model_nclasses(model); i++) {
        count[hitop_model_class(model, i)->node - nranks]++;
    }
    return count;
}

/* A pair of each class of a model in groups where the other one has fewer, or as many if it is the first. */
static void add_classes(struct diff_pairs *out, const struct hitop_model *model,
                        const struct info_levels *levels, const int *mine, const int *others,
                        int is_first)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        const int group = c->node - nranks;
        int pair[2];
        if (mine[group] > others[group] || (is_first && mine[group] == others[group])) {
            info_class_pair(model, c, pair);
            add(out, h, levels, pair[0], pair[1]);
        }
    }
}

static void choose_classes(struct diff_pairs *out, const struct hitop_model *a,
                           const struct hitop_model *b, const struct info_levels *levels)
{
    int *count_a = count_classes(a), *count_b = count_classes(b);
    const size_t n = (size_t)hitop_model_nclasses(a) + (size_t)hitop_model_nclasses(b);

    out->choice = DIFF_CLASSES;
    out->pair = count_a && count_b ? calloc(n + 1, sizeof(*out->pair)) : NULL;
    if (out->pair) {
        add_classes(out, a, levels, count_a, count_b, 1);
        add_classes(out, b, levels, count_b, count_a, 0);
    }
    free(count_b);
    free(count_a);
}

static void choose_all(struct diff_pairs *out, const struct hitop_hierarchy *h,
                       const struct info_levels *levels, size_t n)
{
    const int nranks = hitop_hierarchy_nranks(h);

    out->choice = DIFF_ALL_PAIRS;
    out->pair = calloc(n + 1, sizeof(*out->pair));
    for (int i = 0; out->pair && i < nranks; i++) {
        for (int j = i + 1; j < nranks; j++) {
            add(out, h, levels, i, j);
        }
    }
}

/* A whole number below n. */
static int draw(unsigned short state[3], int n)
{
    return (int)(erand48(state) * n);
}

/* A group around the rank where it meets others, each as likely as the others; *below is its member. */
static int draw_group(const struct hitop_hierarchy *h, int rank, unsigned short state[3],
                      int *below)
{
    int found = HITOP_NO_NODE, nfound = 0, member = rank;

    for (int up = hitop_hierarchy_parent(h, rank); up != HITOP_NO_NODE;
         member = up, up = hitop_hierarchy_parent(h, up)) {
        int nmembers;
        (void)hitop_hierarchy_children(h, up, &nmembers);
        if (nmembers > 1 && draw(state, ++nfound) == 0) {
            found = up;
            *below = member;
        }
    }
    return found;
}

/* A rank of another member of the group. */
static int draw_partner(const struct hitop_hierarchy *h, int group, int below,
                        unsigned short state[3])
{
    int n, node;
    const int *member = hitop_hierarchy_children(h, group, &n);

    do {
        node = member[draw(state, n)];
    } while (node == below);
    for (member = hitop_hierarchy_children(h, node, &n); n > 0;
         member = hitop_hierarchy_children(h, node, &n)) {
        node = member[draw(state, n)];
    }
    return node;
}

static void choose_random(struct diff_pairs *out, const struct hitop_hierarchy *h,
                          const struct info_levels *levels, int n, int seed)
{
    unsigned short state[3] = {0x330e, (unsigned short)(seed & 0xffff),
                               (unsigned short)((unsigned)seed >> 16)};

    out->choice = DIFF_RANDOM_PAIRS;
    out->pair = calloc((size_t)n + 1, sizeof(*out->pair));
    while (out->pair && out->n < (size_t)n) {
        const int i = draw(state, hitop_hierarchy_nranks(h));
        int below = i;
        const int group = draw_group(h, i, state, &below);
        add(out, h, levels, i, draw_partner(h, group, below, state));
    }
}

enum hitop_status diff_pairs_choose(const struct hitop_model *a, const struct hitop_model *b,
                                    const struct info_levels *levels, int max_pairs, int seed,
                                    struct diff_pairs *out, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(a);
    const size_t nranks = (size_t)hitop_model_nranks(a);
    const size_t npairs = nranks * (nranks - 1) / 2;

    *out = (struct diff_pairs){0};
    /* classes of processors tell pairs of one class of links apart */
    if (hitop_model_nprocessors(a) <= 1 && hitop_model_nprocessors(b) <= 1 &&
        hitop_hierarchy_first_difference(h, hitop_model_hierarchy(b)) == HITOP_NO_NODE) {
        choose_classes(out, a, b, levels);
    } else if (npairs <= (size_t)max_pairs) {
        choose_all(out, h, levels, npairs);
    } else {
        choose_random(out, h, levels, max_pairs, seed);
    }
    return out->pair ? HITOP_OK
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "pairs of ranks: out of memory");
}
