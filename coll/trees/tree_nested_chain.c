/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_nested_chain.c - chains within chains: each set of near ranks is entered once, and a rank
 * sends once in each chain.
 *
 * Idea:   cluster the ranks by price. In the outermost set the leaders of the inner sets form a
 *         chain that begins with the root; then the same inside each inner set. The leader of a
 *         set is its lowest rank, or the root if the set contains it.
 * Cost:   the depth is at most the sum over the levels of the number of inner sets minus one. With
 *         segments the slowest link limits the rate.
 * Use:    long messages in segments, where ranks are not in the order of their hosts and sites.
 * Needs:  prices. A rank sends to the outermost chain first, because that path is the longest.
 */
#include <config.h>

#include "coll/trees/clustering.h"
#include "hierarchy/text/compare_ints.h"

#include "hitop/sys/tree.h"

#include <stdlib.h>

struct chains {
    struct clustering clusters;
    int *leader; /* of each set; HITOP_NO_RANK: it has dissolved */
    int *link;   /* [size] scratch: the leaders of one chain */
};

static void choose_leaders(struct chains *c, int size, int root)
{
    for (int s = 0; s < c->clusters.nsets; s++) {
        c->leader[s] = s < size ? s : HITOP_NO_RANK;
    }
    for (int s = 0; s < c->clusters.nsets; s++) { /* each set comes after its inner sets */
        const int mine = c->leader[s];
        int *outer = &c->leader[c->clusters.enclosing[s]];
        if (mine != HITOP_NO_RANK && *outer != root &&
            (*outer == HITOP_NO_RANK || mine == root || mine < *outer)) {
            *outer = mine;
        }
    }
}

/*
 * Make one chain from the leader of a set through the leaders of its inner sets. Returns the new
 * number of ranks in order[].
 */
static int chain(struct chains *c, int set, int *parent, int *order, int norder)
{
    int n = 0;
    int up = c->leader[set];

    for (int s = c->clusters.sets[set].first; s != CLUSTER_NONE; s = c->clusters.sets[s].next) {
        if (c->leader[s] != up) {
            c->link[n++] = c->leader[s];
        }
    }
    qsort(c->link, (size_t)n, sizeof(*c->link), compare_ints);
    for (int i = 0; i < n; i++) {
        parent[c->link[i]] = up;
        up = c->link[i];
        order[norder++] = up;
    }
    return norder;
}

static enum hitop_status nested_chain_build(const struct hitop_tree_args *args,
                                            const double *params, int *parent, int *order,
                                            struct hitop_diag *diag)
{
    struct hitop_tree_args alike = *args; /* all ranks get the same message: counts are ignored */
    struct chains c = {0};
    struct sets sets;
    int norder = 1;
    enum hitop_status status;

    (void)params;
    alike.counts = NULL;
    status = hitop_sets_init(&sets, &alike, diag);
    if (status == HITOP_OK) {
        status = hitop_clustering_init(&c.clusters, &sets, &alike, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    c.leader = calloc((size_t)c.clusters.nsets, sizeof(*c.leader));
    c.link = calloc((size_t)args->size, sizeof(*c.link));
    if (!c.leader || !c.link) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "nested_chain: out of memory");
        goto out;
    }
    choose_leaders(&c, args->size, args->root);
    parent[args->root] = HITOP_NO_RANK;
    order[0] = args->root;
    for (int s = c.clusters.whole; s >= args->size; s--) {
        norder = chain(&c, s, parent, order, norder);
    }

out:
    free(c.link);
    free(c.leader);
    hitop_clustering_free(&c.clusters);
    hitop_sets_fini(&sets);
    return status;
}

const struct hitop_tree_builder hitop_tree_nested_chain = {
    .name = "nested_chain",
    .summary = "chains within chains: no set of near ranks is entered twice",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = nested_chain_build,
};
