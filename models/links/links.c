/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - choose the links that represent the groups of a hierarchy, or all pairs of ranks. */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/links/links.h"
#include "models/links/round_robin.h"

#include <limits.h>
#include <stdlib.h>

/* Links under construction; first is the number of the first round of the current height. */
struct plan {
    const struct hitop_hierarchy *h;
    struct hitop_link *link;
    int n, first;
};

/* Add the link between the first ranks of two members. */
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
 * Link each member to the next one, and the last one to the first. Links with even index share a
 * round, and so do those with odd index; if their number is odd, the last one has a round of its
 * own. Returns the number of rounds.
 */
static int add_ring(struct plan *p, int node)
{
    int count;
    const int *member = hitop_hierarchy_children(p->h, node, &count);
    const int nlinks = count == 2 ? 1 : count;

    for (int i = 0; i < nlinks; i++) {
        const int next = (i + 1) % count;
        (void)add(p, node, member[i < next ? i : next], member[i < next ? next : i],
                  i + 1 == nlinks && nlinks % 2 && nlinks > 1 ? 2 : i % 2);
    }
    return nlinks == 1 ? 1 : 2 + nlinks % 2;
}

/* Add links for all pairs of members. Returns the number of rounds. */
static int add_pairs(struct plan *p, int node)
{
    int count;
    const int *member = hitop_hierarchy_children(p->h, node, &count);

    for (int round = 0; round < round_robin_rounds(count); round++) {
        for (int k = 0; k < round_robin_pairs(count); k++) {
            int low, high;
            if (round_robin_pair(count, round, k, &low, &high)) {
                struct hitop_link *link = add(p, node, member[low], member[high], round);
                link->between[0] = member[low];
                link->between[1] = member[high];
            }
        }
    }
    return round_robin_rounds(count);
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

void hitop_links_sort(struct hitop_link *links, int n)
{
    qsort(links, (size_t)n, sizeof(*links), compare_links);
}

/* Which links represent a group: one, a ring of its members, or all pairs of them. */
enum kind { ONE, RING, PAIRS };

static long long count_links(const struct hitop_hierarchy *h, enum kind kind)
{
    long long n = 0;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        int count;
        (void)hitop_hierarchy_children(h, node, &count);
        n += count < 2                   ? 0
             : kind == PAIRS             ? (long long)count * (count - 1) / 2
             : kind == RING && count > 2 ? count
                                         : 1;
    }
    return n;
}

/* Links of all groups; groups are numbered by height, then by first rank. */
static void fill(struct plan *p, enum kind kind)
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
            if (kind == PAIRS) {
                needed = add_pairs(p, node);
            } else if (kind == RING) {
                needed = add_ring(p, node);
            } else {
                (void)add(p, node, member[0], member[1], 0);
            }
            rounds = needed > rounds ? needed : rounds;
        }
    }
}

static enum hitop_status choose(const struct hitop_hierarchy *h, enum kind kind,
                                struct hitop_link **out, int *nlinks, struct hitop_diag *diag)
{
    const long long n = count_links(h, kind);
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
    fill(&p, kind);
    hitop_links_sort(p.link, p.n);
    *out = p.link;
    *nlinks = p.n;
    return HITOP_OK;
}

enum hitop_status hitop_links_choose(const struct hitop_hierarchy *h, struct hitop_link **out,
                                     int *nlinks, struct hitop_diag *diag)
{
    return choose(h, ONE, out, nlinks, diag);
}

enum hitop_status hitop_links_choose_pairs(const struct hitop_hierarchy *h, struct hitop_link **out,
                                           int *nlinks, struct hitop_diag *diag)
{
    return choose(h, PAIRS, out, nlinks, diag);
}

enum hitop_status hitop_links_choose_ring(const struct hitop_hierarchy *h, struct hitop_link **out,
                                          int *nlinks, struct hitop_diag *diag)
{
    return choose(h, RING, out, nlinks, diag);
}

/*
 * All pairs of ranks. Pairs within hosts come first. Then round-robin pairing assigns each host a
 * partner, and the pairs of their ranks are measured one after the other, so that each network
 * interface serves one measurement at a time.
 */

/* Links under construction; first is the first round of the phase. */
struct flat_plan {
    const struct host_ranks *hosts;
    struct hitop_link *link;
    int n, node, first, nrounds;
};

static int count_on(const struct flat_plan *p, int host)
{
    return p->hosts->begin[host + 1] - p->hosts->begin[host];
}

static void add_flat(struct flat_plan *p, int a, int b, int round)
{
    const int low = a < b ? a : b, high = a < b ? b : a;

    p->link[p->n++] = (struct hitop_link){.node = p->node,
                                          .rank = {low, high},
                                          .between = {low, high},
                                          .round = p->first + round,
                                          .phase = p->first};
    p->nrounds = round >= p->nrounds ? round + 1 : p->nrounds;
}

static void end_phase(struct flat_plan *p)
{
    p->first += p->nrounds;
    p->nrounds = 0;
}

static void add_inside(struct flat_plan *p, int host)
{
    const int *rank = p->hosts->rank + p->hosts->begin[host];
    const int n = count_on(p, host);

    for (int round = 0; n > 1 && round < round_robin_rounds(n); round++) {
        for (int k = 0; k < round_robin_pairs(n); k++) {
            int a, b;
            if (round_robin_pair(n, round, k, &a, &b)) {
                add_flat(p, rank[a], rank[b], round);
            }
        }
    }
}

/* Add all pairs of the ranks of two hosts, one in each round. */
static void add_between(struct flat_plan *p, int x, int y, int round)
{
    const int a = count_on(p, x), b = count_on(p, y);

    for (int k = 0; k < a * b; k++) {
        add_flat(p, p->hosts->rank[p->hosts->begin[x] + k / b],
                 p->hosts->rank[p->hosts->begin[y] + k % b], round + k);
    }
}

static void fill_flat(struct flat_plan *p)
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
    struct flat_plan p = {.hosts = &hosts, .node = hitop_hierarchy_root(h), .first = 1};
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
        fill_flat(&p);
        hitop_links_sort(p.link, p.n);
        *out = p.link;
        *nlinks = p.n;
    }
    hitop_host_ranks_clear(&hosts);
    return status;
}
