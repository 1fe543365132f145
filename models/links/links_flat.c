/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links_flat.c - every pair of ranks, with one partner for each host at a time.
 *
 * Idea:  hosts meet by round-robin pairing; while two hosts are opposite, the pairs of their ranks
 *        take turns. So no network interface serves two measurements. Pairs inside hosts come
 *        before.
 */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/links/links.h"
#include "models/links/round_robin.h"

#include <limits.h>
#include <stdlib.h>

/* Links under construction; first is the round with which a phase began. */
struct plan {
    const struct host_ranks *hosts;
    struct hitop_link *link;
    int n, node, first, nrounds;
};

static int count(const struct plan *p, int host)
{
    return p->hosts->begin[host + 1] - p->hosts->begin[host];
}

static void add(struct plan *p, int a, int b, int round)
{
    const int low = a < b ? a : b, high = a < b ? b : a;

    p->link[p->n++] = (struct hitop_link){.node = p->node,
                                          .rank = {low, high},
                                          .between = {low, high},
                                          .round = p->first + round,
                                          .phase = p->first};
    p->nrounds = round >= p->nrounds ? round + 1 : p->nrounds;
}

static void end_phase(struct plan *p)
{
    p->first += p->nrounds;
    p->nrounds = 0;
}

static void add_inside(struct plan *p, int host)
{
    const int *rank = p->hosts->rank + p->hosts->begin[host];
    const int n = count(p, host);

    for (int round = 0; n > 1 && round < round_robin_rounds(n); round++) {
        for (int k = 0; k < round_robin_pairs(n); k++) {
            int a, b;
            if (round_robin_pair(n, round, k, &a, &b)) {
                add(p, rank[a], rank[b], round);
            }
        }
    }
}

/* All pairs of the ranks of two hosts, one after the other. */
static void add_between(struct plan *p, int x, int y, int round)
{
    const int a = count(p, x), b = count(p, y);

    for (int k = 0; k < a * b; k++) {
        add(p, p->hosts->rank[p->hosts->begin[x] + k / b],
            p->hosts->rank[p->hosts->begin[y] + k % b], round + k);
    }
}

static void fill(struct plan *p)
{
    const int nhosts = p->hosts->nhosts;

    for (int host = 0; host < nhosts; host++) {
        add_inside(p, host);
    }
    end_phase(p);
    for (int turn = 0; nhosts > 1 && turn < round_robin_rounds(nhosts); turn++) {
        const int round = p->nrounds;
        for (int k = 0; k < round_robin_pairs(nhosts); k++) {
            int x, y;
            if (round_robin_pair(nhosts, turn, k, &x, &y)) {
                add_between(p, x, y, round);
            }
        }
    }
}

static int is_flat(const struct hitop_hierarchy *h)
{
    int n;

    (void)hitop_hierarchy_children(h, hitop_hierarchy_root(h), &n);
    return n == hitop_hierarchy_nranks(h);
}

enum hitop_status hitop_links_choose_flat(const struct hitop_hierarchy *h, struct hitop_link **out,
                                          int *nlinks, struct hitop_diag *diag)
{
    const long long nranks = hitop_hierarchy_nranks(h), n = nranks * (nranks - 1) / 2;
    struct host_ranks hosts = {0};
    struct plan p = {.hosts = &hosts, .node = hitop_hierarchy_root(h), .first = 1};
    enum hitop_status status = HITOP_OK;

    *out = NULL;
    *nlinks = 0;
    if (!is_flat(h)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "links: the hierarchy is not flat");
    }
    if (n > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%lld links are too many", n);
    }
    if (n == 0) {
        return HITOP_OK;
    }
    status = hitop_host_ranks_fill(&hosts, h, diag);
    if (status == HITOP_OK) {
        p.link = calloc((size_t)n, sizeof(*p.link));
        status = p.link ? HITOP_OK
                        : hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory for %lld", n);
    }
    if (status == HITOP_OK) {
        fill(&p);
        hitop_links_sort(p.link, p.n);
        *out = p.link;
        *nlinks = p.n;
    }
    hitop_host_ranks_clear(&hosts);
    return status;
}
