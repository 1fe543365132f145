/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_ranks.c - hosts found by their names. */
#include <config.h>

#include "coll/predict/placement_ranks.h"

#include <stdlib.h>
#include <string.h>

static size_t short_length(const char *host)
{
    return strcspn(host, ".");
}

/* The first rank of the model that ran on `host`. */
static int find_rank(const struct hitop_hierarchy *h, const char *host)
{
    const int rank = hitop_hierarchy_rank_on_host(h, host);
    const size_t length = short_length(host);

    if (rank != HITOP_NO_RANK) {
        return rank;
    }
    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        const char *known = hitop_hierarchy_host(h, r);
        if (short_length(known) == length && memcmp(known, host, length) == 0 &&
            (known[length] == '\0' || host[length] == '\0')) {
            /* one of the two names has no domain: nothing contradicts */
            return hitop_hierarchy_rank_on_host(h, known);
        }
    }
    return HITOP_NO_RANK;
}

/* The ranks of each host as a ring; last[] is for its own use. */
static void link_ranks(const struct hitop_hierarchy *h, int *next, int *last)
{
    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, r));
        next[r] = first;
        if (r != first) { /* the first one is the lowest */
            next[last[first]] = r;
        }
        last[first] = r;
    }
}

enum hitop_status hitop_placement_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int nhosts, int *rank, struct hitop_diag *diag)
{
    const size_t n = (size_t)hitop_hierarchy_nranks(h);
    int *next = calloc(n, sizeof(*next));
    int *turn = calloc(n, sizeof(*turn)); /* of the first rank of a host: whose turn it is */
    enum hitop_status status = HITOP_OK;

    if (!next || !turn) {
        free(turn);
        free(next);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    link_ranks(h, next, turn);
    for (size_t r = 0; r < n; r++) {
        turn[r] = (int)r;
    }
    for (int k = 0; k < nhosts && status == HITOP_OK; k++) {
        const int first = find_rank(h, hosts[k]);
        if (first == HITOP_NO_RANK) {
            status = hitop_fail(diag, HITOP_ERR_NOTFOUND, "host %s is not in the model", hosts[k]);
        } else {
            rank[k] = turn[first];
            turn[first] = next[turn[first]];
        }
    }
    free(turn);
    free(next);
    return status;
}

int hitop_placement_neighbour(const struct hitop_hierarchy *h, int rank)
{
    int node = rank;

    for (int above = hitop_hierarchy_parent(h, node); above != HITOP_NO_NODE;
         node = above, above = hitop_hierarchy_parent(h, node)) {
        int count;
        const int *child = hitop_hierarchy_children(h, above, &count);
        for (int i = 0; i < count; i++) {
            if (child[i] != node) {
                return hitop_hierarchy_first_rank(h, child[i]);
            }
        }
    }
    return HITOP_NO_RANK;
}
