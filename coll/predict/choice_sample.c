/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_sample.c - some of many ranks, which stand for all: a smaller machine of the same shape.
 *
 * Every set of hosts (hitop/cost.h: rack, cluster) keeps the same share of its members, so that the
 * sample has as many levels as the machine, and the sizes of its groups differ as those of the
 * machine do. Hosts keep up to HOST_RANKS ranks: algorithms exchange the longest messages between
 * neighbours there. Which members stay is random, to avoid a period of the placement of ranks.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_RANKS = 8 };

/* The sets as a tree: the members of set s are member[first[s]] to member[first[s + 1] - 1]. */
struct shape {
    int nranks, nsets, top, root; /* top: holds all; root: this rank always stays */
    int *up;                      /* [nsets]: the next larger set; -1: none */
    int *first;                   /* [nsets + 2] */
    int *member;                  /* [nsets] */
    char *has_root;               /* [nsets]: 1: the root is in it */
    uint32_t random;
};

static double draw(struct shape *s)
{
    s->random = s->random * UINT32_C(1664525) + UINT32_C(1013904223);
    return (s->random >> 8) / 16777216.0;
}

/* List the members of each set: a counting sort of sets by the next larger one. */
static void list_members(struct shape *s)
{
    for (int i = 0; i < s->nsets; i++) {
        if (s->up[i] >= 0) {
            s->first[s->up[i] + 2]++;
        }
    }
    for (int i = 1; i < s->nsets + 2; i++) {
        s->first[i] += s->first[i - 1];
    }
    for (int i = 0; i < s->nsets; i++) {
        if (s->up[i] >= 0) {
            s->member[s->first[s->up[i] + 1]++] = i;
        }
    }
}

/*
 * Ranks at and above `size` take no part: they and sets without a rank below are in no set. Returns
 * 0 without a set that holds all ranks.
 */
static int find_sets(struct shape *s, const struct hitop_cost *cost, int size)
{
    char *is_used = calloc((size_t)s->nsets, 1);
    int is_connected = is_used != NULL;

    s->top = -1;
    for (int i = 0; i < s->nsets; i++) {
        s->up[i] = -1;
    }
    for (int r = 0; r < size && is_connected; r++) {
        int set = r;
        while (!is_used[set]) {
            is_used[set] = 1;
            s->up[set] = cost->enclosing(cost->self, set);
            if (s->up[set] < 0) {
                is_connected = s->top < 0;
                s->top = set;
                break;
            }
            set = s->up[set];
        }
    }
    free(is_used);
    for (int set = s->root; is_connected && set >= 0; set = s->up[set]) {
        s->has_root[set] = 1;
    }
    return is_connected && s->top >= s->nranks;
}

/*
 * Keep one of `share` members of a set, at least one, and do the same in each of them; of ranks up
 * to HOST_RANKS, where there are larger sets.
 */
static void keep(struct shape *s, int set, double share, int *rank, int *n, int most)
{
    const int *member = s->member + s->first[set];
    const int count = s->first[set + 1] - s->first[set];
    const int is_host = set >= s->nranks && member[0] < s->nranks && set != s->top;
    const int kept = is_host ? (int)fmin(count, HOST_RANKS)
                             : (int)fmin(count, fmax(1, floor(count / share + draw(s))));

    if (set < s->nranks) {
        if (*n < most) {
            rank[(*n)++] = set;
        }
        return;
    }
    for (int i = 0; i < kept; i++) { /* one in each of equal intervals of the members */
        const int begin = (int)((long long)i * count / kept);
        const int end = (int)((long long)(i + 1) * count / kept);
        int chosen = begin + (int)(draw(s) * (end - begin));
        for (int j = begin; j < end; j++) {
            chosen = s->has_root[member[j]] ? j : chosen;
        }
        keep(s, member[chosen], share, rank, n, most);
    }
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Drop n - count of n ranks at equal distances, but not the root. */
static void drop(int *rank, int n, int count, int root)
{
    int kept = 0;

    for (int i = 0; i < n; i++) {
        const int left = n - i, wanted = count - kept;
        const int needs_root = rank[i] == root;
        if (wanted > 0 && (needs_root || (long long)(i + 1) * count / n > kept || left <= wanted)) {
            rank[kept++] = rank[i];
        } else if (needs_root) {
            rank[count - 1] = root;
        }
    }
}

/* Choose `count` ranks by the shape, in rising order. Returns 0 where there are not enough. */
static int choose_by_shape(struct shape *s, int size, int *rank, int count)
{
    const int most = 2 * count;
    int n = 0, levels = 0;
    double share;

    for (int set = s->root; s->up[set] >= 0; set = s->up[set]) {
        levels++;
    }
    share = pow((double)size / count, 1.0 / (levels > 1 ? levels - 1 : 1));
    for (int i = 0; i < 256 && n < count; i++) {
        n = 0;
        s->random = 1;
        keep(s, s->top, share, rank, &n, most);
        share *= 0.97;
    }
    if (n < count) {
        return 0;
    }
    qsort(rank, (size_t)n, sizeof(*rank), compare);
    drop(rank, n, count, s->root);
    return 1;
}

/* Returns 0 without memory, and where the cost has no sets or too uneven ones. */
static int draw_by_shape(const struct hitop_cost *cost, int size, int root, int *rank, int count)
{
    const size_t n = (size_t)cost->nsets;
    struct shape s = {.nranks = cost->nranks, .nsets = cost->nsets, .root = root, .random = 1};
    int is_drawn = 0;

    if (!cost->enclosing || cost->nsets >= INT_MAX - 2) {
        return 0;
    }
    s.up = calloc(n, sizeof(*s.up));
    s.first = calloc(n + 2, sizeof(*s.first));
    s.member = calloc(n, sizeof(*s.member));
    s.has_root = calloc(n, sizeof(*s.has_root));
    if (s.up && s.first && s.member && s.has_root && find_sets(&s, cost, size)) {
        list_members(&s);
        is_drawn = choose_by_shape(&s, size, rank, count);
    }
    free(s.has_root);
    free(s.member);
    free(s.first);
    free(s.up);
    return is_drawn;
}

/*
 * Without sets: HOST_RANKS consecutive ranks, as they may be on one host, at a random place in each
 * of equal intervals.
 */
static void draw_anywhere(int size, int *rank, int count)
{
    struct shape s = {.random = 1};
    const int runs = count / HOST_RANKS;

    for (int i = 0; i < runs; i++) {
        const int begin = (int)((long long)i * size / runs);
        const int end = (int)((long long)(i + 1) * size / runs);
        const int first = begin + (int)(draw(&s) * (end - begin - HOST_RANKS + 1));
        for (int j = 0; j < HOST_RANKS; j++) {
            rank[i * HOST_RANKS + j] = first + j;
        }
    }
}

/* The root comes first and occurs once. */
static void put_root_first(int *rank, int count, int root)
{
    int at = 0;

    while (at < count && rank[at] != root) {
        at++;
    }
    memmove(rank + 1, rank, (size_t)(at < count ? at : count - 1) * sizeof(*rank));
    rank[0] = root;
}

enum hitop_status hitop_choice_sample_init(struct choice_sample *sample,
                                           const struct hitop_cost *all, int size, int root,
                                           int count, struct hitop_diag *diag)
{
    int *rank = calloc(2 * (size_t)count, sizeof(*rank));

    *sample = (struct choice_sample){.rank = rank};
    if (!rank) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    if (!draw_by_shape(all, size, root, rank, count)) {
        draw_anywhere(size, rank, count);
    }
    put_root_first(rank, count, root);
    sample->view = (struct cost_view){.all = all, .rank = rank, .nranks = count};
    sample->cost = hitop_cost_view(&sample->view, count);
    return HITOP_OK;
}

void hitop_choice_sample_fini(struct choice_sample *sample)
{
    free(sample->rank);
}
