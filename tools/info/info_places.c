/* SPDX-License-Identifier: BSD-3-Clause */
/* info_places.c - the ranks or hosts of a hierarchy in the order of a matrix. */
#include <config.h>

#include "tools/info/info_places.h"

#include <stdlib.h>

static int host_of(const struct hitop_hierarchy *h, int rank)
{
    return hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
}

/* In the order of the hierarchy; index[] holds the place of each rank that has one. */
static void add_nested(struct info_places *places, const struct hitop_hierarchy *h, int *index)
{
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        if (node < nranks && (!places->are_hosts || host_of(h, node) == node)) {
            index[node] = places->n;
            places->place[places->n++] = (struct info_place){node, HITOP_NO_RANK};
        }
    }
}

/* The second smallest rank of each host. */
static void add_second_ranks(struct info_places *places, const struct hitop_hierarchy *h,
                             const int *index)
{
    for (int rank = hitop_hierarchy_nranks(h) - 1; rank >= 0; rank--) {
        const int first = host_of(h, rank);
        if (rank != first) {
            places->place[index[first]].second = rank;
        }
    }
}

enum hitop_status info_places_nest(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    int *index = calloc((size_t)nranks, sizeof(*index));

    *places = (struct info_places){.place = calloc((size_t)nranks, sizeof(*places->place)),
                                   .are_hosts = by_host};
    if (!index || !places->place) {
        free(index);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d ranks: out of memory", nranks);
    }
    add_nested(places, h, index);
    if (by_host) {
        add_second_ranks(places, h, index);
    }
    free(index);
    return HITOP_OK;
}

enum hitop_status info_places_fill(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag)
{
    const enum hitop_status status = info_places_nest(places, h, by_host, diag);

    for (int i = 0; status == HITOP_OK && !by_host && i < places->n; i++) {
        places->place[i].rank = i;
    }
    return status;
}

void info_places_clear(struct info_places *places)
{
    free(places->place);
    *places = (struct info_places){0};
}
