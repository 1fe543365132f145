/* SPDX-License-Identifier: BSD-3-Clause */
/* crowds_choose.c - which pairs of ranks share the hosts of a link. */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/measure/concurrent_pairs_impl.h"

#include <stdlib.h>

void hitop_pair_plan_clear(struct hitop_pair_plan *plan)
{
    free(plan->pairs);
    free(plan->begin);
    *plan = (struct hitop_pair_plan){0};
}

/* The pairs of one link, the link itself first. */
struct pairs {
    int (*rank)[2]; /* [room] */
    int n, room;
};

static int is_taken(const struct pairs *p, int rank)
{
    for (int i = 0; i < p->n; i++) {
        if (p->rank[i][0] == rank || p->rank[i][1] == rank) {
            return 1;
        }
    }
    return 0;
}

/* All pairs of free ranks of two hosts, or of one, that meet where the link does. */
static void find_pairs(const struct hitop_hierarchy *h, const struct host_ranks *hosts,
                       const struct hitop_link *link, struct pairs *p)
{
    const int x = hosts->home[link->rank[0]], y = hosts->home[link->rank[1]];

    p->n = 1;
    p->rank[0][0] = link->rank[0];
    p->rank[0][1] = link->rank[1];
    for (int i = hosts->begin[x]; i < hosts->begin[x + 1]; i++) {
        const int a = hosts->rank[i];
        for (int k = hosts->begin[y]; k < hosts->begin[y + 1] && !is_taken(p, a); k++) {
            const int b = hosts->rank[k];
            if (a != b && !is_taken(p, b) && hitop_hierarchy_lca(h, a, b) == link->node) {
                p->rank[p->n][0] = a;
                p->rank[p->n++][1] = b;
            }
        }
    }
}

enum hitop_status hitop_pair_plan_add(struct hitop_pair_plan *plan, int (*rank)[2], int npairs,
                                      int link, struct hitop_diag *diag)
{
    const size_t pairs = (size_t)plan->npairs + (size_t)npairs;
    struct hitop_link *more = realloc(plan->pairs, pairs * sizeof(*more));
    int *begin;

    plan->pairs = more ? more : plan->pairs;
    begin = realloc(plan->begin, ((size_t)plan->nsets + 2) * sizeof(*begin));
    plan->begin = begin ? begin : plan->begin;
    if (!more || !begin) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    plan->begin[plan->nsets++] = plan->npairs;
    for (int i = 0; i < npairs; i++) {
        plan->pairs[plan->npairs++] = (struct hitop_link){.node = link,
                                                          .rank = {rank[i][0], rank[i][1]},
                                                          .round = plan->nsets,
                                                          .phase = plan->nsets};
    }
    plan->begin[plan->nsets] = plan->npairs;
    return HITOP_OK;
}

/* 1, 2, 4, ... pairs, and all of them: less than four times as many in sum. */
static enum hitop_status add_link(struct hitop_pair_plan *plan, const struct pairs *p, int link,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int k = 1; status == HITOP_OK && p->n > 1 && k < 2 * p->n; k *= 2) {
        status = hitop_pair_plan_add(plan, p->rank, k < p->n ? k : p->n, link, diag);
    }
    return status;
}

enum hitop_status hitop_pair_sets_choose(const struct hitop_hierarchy *h,
                                         const struct hitop_link *links, int nlinks,
                                         struct hitop_pair_plan *out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct pairs pairs = {.rank = calloc((size_t)nranks + 1, sizeof(*pairs.rank)), .room = nranks};
    struct host_ranks hosts = {0};
    enum hitop_status status;

    *out = (struct hitop_pair_plan){0};
    status = pairs.rank ? hitop_host_ranks_fill(&hosts, h, diag)
                        : hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    for (int i = 0; status == HITOP_OK && i < nlinks; i++) {
        find_pairs(h, &hosts, &links[i], &pairs);
        status = add_link(out, &pairs, i, diag);
    }
    hitop_host_ranks_clear(&hosts);
    free(pairs.rank);
    return status;
}
