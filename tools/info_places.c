/* SPDX-License-Identifier: BSD-3-Clause */
/* info_places.c - the ranks or hosts of a hierarchy in the order of a matrix. */
#include <config.h>

#include "info_places.h"

#include <stdlib.h>

static int host_of(const struct hitop_hierarchy *h, int rank)
{
    return hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
}

/* Hosts by the group they are in; index[] holds the place of each smallest rank. */
static void add_hosts(struct info_places *places, const struct hitop_hierarchy *h, int *index)
{
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        if (node < nranks && host_of(h, node) == node) {
            index[node] = places->n;
            places->place[places->n++] = (struct info_place){node, HITOP_NO_RANK};
        }
    }
    for (int rank = nranks - 1; rank >= 0; rank--) { /* so that the smallest one remains */
        const int first = host_of(h, rank);
        if (rank != first) {
            places->place[index[first]].second = rank;
        }
    }
}

enum hitop_status info_places_fill(struct info_places *places, const struct hitop_hierarchy *h,
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
    if (by_host) {
        add_hosts(places, h, index);
    } else {
        for (int rank = 0; rank < nranks; rank++) {
            places->place[places->n++] = (struct info_place){rank, HITOP_NO_RANK};
        }
    }
    free(index);
    return HITOP_OK;
}

void info_places_clear(struct info_places *places)
{
    free(places->place);
    *places = (struct info_places){0};
}
