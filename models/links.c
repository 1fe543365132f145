/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - which links stand for the groups of a hierarchy. */
#include <config.h>

#include "hitop/measure.h"

#include <limits.h>
#include <stdlib.h>

/* Links under construction; first is the number of the first round of the height at hand. */
struct plan {
    const struct hitop_hierarchy *h;
    struct hitop_link *link;
    int n, first;
};

/* The link between the first ranks of two members. */
static struct hitop_link *add(struct plan *p, int node, int x, int y, int round)
{
    struct hitop_link *link = &p->link[p->n++];

    *link = (struct hitop_link){
        .node = node,
        .rank = {hitop_hierarchy_first_rank(p->h, x), hitop_hierarchy_first_rank(p->h, y)},
        .round = p->first + round,
        .phase = p->first};
    return link;
}

/*
 * All pairs of members in as few rounds as possible, by the circle method: the last one stays, the others
 * move on by one seat each round, and who sits opposite makes a pair. With an odd number a pair with
 * nobody is left out. Returns the number of rounds.
 */
static int add_pairs(struct plan *p, int node)
{
    int count;
    const int *member = hitop_hierarchy_children(p->h, node, &count);
    const int seats = count + count % 2, circle = seats - 1;

    for (int round = 0; round < circle; round++) {
        for (int k = 0; k < seats / 2; k++) {
            const int a = k == 0 ? circle : (round + k) % circle;
            const int b = (round + circle - k) % circle;
            const int low = a < b ? a : b, high = a < b ? b : a;
            if (high < count) {
                struct hitop_link *link = add(p, node, member[low], member[high], round);
                link->between[0] = member[low];
                link->between[1] = member[high];
            }
        }
    }
    return circle;
}

static int compare_links(const void *a, const void *b)
{
    const struct hitop_link *x = a, *y = b;

    if (x->round != y->round) {
        return x->round < y->round ? -1 : 1;
    }
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    return (x->rank[0] > y->rank[0]) - (x->rank[0] < y->rank[0]);
}

/* Most links there can be, or -1 where an int does not hold them. */
static long long count_links(const struct hitop_hierarchy *h, int all_pairs)
{
    long long n = 0;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        int count;
        (void)hitop_hierarchy_children(h, node, &count);
        n += count < 2 ? 0 : all_pairs ? (long long)count * (count - 1) / 2 : 1;
    }
    return n;
}

/* Links of all groups; groups are numbered by height, then by first rank. */
static void fill(struct plan *p, int all_pairs)
{
    for (int node = hitop_hierarchy_nranks(p->h), height = 0, rounds = 0;
         node < hitop_hierarchy_nnodes(p->h); node++) {
        int count;
        const int *member = hitop_hierarchy_children(p->h, node, &count);
        if (hitop_hierarchy_height(p->h, node) != height) {
            height = hitop_hierarchy_height(p->h, node);
            p->first += rounds;
            rounds = 0;
        }
        if (count > 1) {
            int needed = 1;
            if (all_pairs) {
                needed = add_pairs(p, node);
            } else {
                (void)add(p, node, member[0], member[1], 0);
            }
            rounds = needed > rounds ? needed : rounds;
        }
    }
}

static enum hitop_status choose(const struct hitop_hierarchy *h, int all_pairs,
                                struct hitop_link **out, int *nlinks, struct hitop_diag *diag)
{
    const long long n = count_links(h, all_pairs);
    struct plan p = {.h = h, .first = 1};

    *out = NULL;
    *nlinks = 0;
    if (n == 0) {
        return HITOP_OK;
    }
    if (n > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%lld links are too many", n);
    }
    p.link = calloc((size_t)n, sizeof(*p.link));
    if (!p.link) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory for %lld", n);
    }
    fill(&p, all_pairs);
    qsort(p.link, (size_t)p.n, sizeof(*p.link), compare_links);
    *out = p.link;
    *nlinks = p.n;
    return HITOP_OK;
}

enum hitop_status hitop_links_choose(const struct hitop_hierarchy *h, struct hitop_link **out,
                                     int *nlinks, struct hitop_diag *diag)
{
    return choose(h, 0, out, nlinks, diag);
}

enum hitop_status hitop_links_choose_pairs(const struct hitop_hierarchy *h, struct hitop_link **out,
                                           int *nlinks, struct hitop_diag *diag)
{
    return choose(h, 1, out, nlinks, diag);
}
