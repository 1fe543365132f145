/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_PLACES_H
#define INFO_PLACES_H

/* info_places.h - the rows of a matrix: ranks, or hosts, each by its smallest rank. */

#include "hitop/hierarchy.h"

struct info_place {
    int rank;   /* of a host the smallest */
    int second; /* another rank of the host, or HITOP_NO_RANK */
};

struct info_places {
    struct info_place *place;
    int n;
    int are_hosts;
};

/* Ranks by number, hosts as they stand in the hierarchy. Release with info_places_clear(), also after a
 * failure. */
enum hitop_status info_places_fill(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag);

/* The same, but for ranks as they stand in the hierarchy, too. */
enum hitop_status info_places_nest(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag);
void info_places_clear(struct info_places *places);

/* The two ranks whose price stands in a row and a column; 0 when there are none. */
static inline int info_places_pair(const struct info_places *places, int row, int column,
                                   int pair[2])
{
    pair[0] = places->place[row].rank;
    pair[1] = row == column ? places->place[row].second : places->place[column].rank;
    return pair[1] != HITOP_NO_RANK;
}

#endif /* INFO_PLACES_H */
