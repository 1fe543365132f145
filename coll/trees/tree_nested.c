/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_nested.c - trees within trees: no set of near ranks is entered twice.
 *
 * Idea:   cluster the ranks by price. In the outermost set one leader per inner set gets the
 *         message, the root first of all; then the same inside each inner set. The set that takes
 *         longest inside is served first, by the leader whose message arrives first, and led by the rank with
 *         which it is done first.
 * Cost:   the outer levels add up; every expensive link carries the message once. As many prices as ranks
 *         have rings of alike ranks around them, a few times.
 * Use:    links between far groups that are shared, which prices of single messages do not show.
 * Needs:  prices. Of leaders that are as good the lowest rank is taken. On 200 random machines of sites of hosts with
 *         unlike processors or links the broadcast was predicted 9 to 24 % faster in the mean than with the lowest
 *         rank leading each set, and slower on about one in twenty; where all is alike there is no difference.
 * Source: the clusters are those of single linkage; serving the longest first follows the
 *         look-ahead of P. Bhat, C. Raghavendra, V. Prasanna, ICDCS 1999.
 */
#include <config.h>

#include "coll/trees/leaders.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>

/* Who leads a set, and in which of the sets inside it is. */
struct lead {
    int leader, via;
};

/* Attach all ranks below the leaders of the sets they are in, the outer links before the inner ones. */
static enum hitop_status spread(struct leaders *l, struct lead *lead, int *parent, int *order,
                                struct hitop_diag *diag)
{
    const int size = l->args->size;
    int norder = 1;

    for (int s = l->args->root; s != l->clusters.whole; s = l->clusters.around[s]) {
        lead[l->clusters.around[s]] = (struct lead){l->args->root, s};
    }
    for (int s = l->clusters.whole; s >= size; s--) { /* a set comes behind those inside */
        struct part *part;
        int count;
        if (l->clusters.sets[s].first == CLUSTER_NONE) {
            continue;
        }
        part = hitop_leaders_parts(l, s, lead[s].via, &count);
        if (!part) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "nested: out of memory");
        }
        (void)hitop_leaders_serve(l, lead[s].leader, part, count);
        for (int i = 0; i < count; i++) {
            const struct choice *choice = &part[i].choice;
            if (i > 0) {
                parent[choice->leader] = part[i].from;
                order[norder++] = choice->leader;
            }
            if (choice->leader != l->args->root) {
                lead[part[i].set] = (struct lead){choice->leader, choice->via};
            }
        }
        free(part);
    }
    return HITOP_OK;
}

static enum hitop_status nested_build(const struct hitop_tree_args *args, const double *params,
                                      int *parent, int *order, struct hitop_diag *diag)
{
    struct hitop_tree_args alike = *args; /* all get one message: counts tell no ranks apart */
    struct leaders l = {0};
    struct lead *lead = NULL;
    struct sets sets;
    enum hitop_status status;

    (void)params;
    alike.counts = NULL;
    status = hitop_sets_init(&sets, &alike, diag);
    if (status == HITOP_OK) {
        status = hitop_leaders_init(&l, &sets, &alike, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    lead = calloc((size_t)l.clusters.nsets, sizeof(*lead));
    if (!lead) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "nested: out of memory");
        goto out;
    }
    parent[args->root] = HITOP_NO_RANK;
    order[0] = args->root;
    status = spread(&l, lead, parent, order, diag);

out:
    free(lead);
    hitop_leaders_fini(&l);
    hitop_sets_fini(&sets);
    return status;
}

const struct hitop_tree_builder hitop_tree_nested = {
    .name = "nested",
    .summary = "trees within trees: no set of near ranks is entered twice",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = nested_build,
};
