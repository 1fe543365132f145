/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mean_price.c - what a message costs between any two ranks in the mean.
 *
 * Idea:  ranks of a group are alike, so that two groups need one price in each direction, and a group one for those
 *        within.
 * Cost:  prices for each two groups of ranks.
 */
#include <config.h>

#include "mean_price.h"

#include <stdlib.h>

/* Ranks that are alike; the second one is that of the price within. */
struct group {
    int id, first, second, n;
};

static int compare(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->first > y->first) - (x->first < y->first);
}

/* The groups of a cost, in place of its ranks; returns how many. */
static int find_groups(const struct hitop_cost *cost, struct group *g)
{
    int n = 0;

    for (int rank = 0; rank < cost->nranks; rank++) {
        const int id = cost->group ? cost->group(cost->self, rank) : rank;
        g[rank] = (struct group){.id = id, .first = rank, .n = 1};
    }
    qsort(g, (size_t)cost->nranks, sizeof(*g), compare);
    for (int i = 1; i < cost->nranks; i++) {
        if (g[i].id != g[n].id) {
            g[++n] = g[i];
        } else {
            g[n].second = g[i].first;
            g[n].n++;
        }
    }
    return n + 1;
}

enum hitop_status mean_price(const struct hitop_cost *cost, size_t bytes, struct price *out,
                             struct hitop_diag *diag)
{
    const double npairs = (double)cost->nranks * (cost->nranks - 1);
    struct group *g;
    int n;

    *out = (struct price){0};
    if (cost->nranks < 2) {
        return HITOP_OK;
    }
    g = calloc((size_t)cost->nranks, sizeof(*g));
    if (!g) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "mean price: out of memory");
    }
    n = find_groups(cost, g);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int to = i == j ? g[i].second : g[j].first;
            const double share = g[i].n * (double)(i == j ? g[i].n - 1 : g[j].n) / npairs;
            if (share > 0) {
                out->p2p += share * cost->p2p(cost->self, g[i].first, to, bytes);
                out->occupancy += share * cost->occupancy(cost->self, g[i].first, to, bytes);
            }
        }
    }
    free(g);
    return HITOP_OK;
}
