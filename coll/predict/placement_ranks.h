/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLACEMENT_RANKS_H
#define HITOP_PLACEMENT_RANKS_H

/* placement_ranks.h - which ranks of a model stand for the hosts of a job. */

#include "hitop/hierarchy.h"

/*
 * Fill rank[k] with a rank of `h` that ran on hosts[k]: its whole name or, failing that, what is before the first dot.
 * A host that comes more than once gets its ranks in turn, so that they are as near to each other as they were.
 *
 * HITOP_ERR_NOTFOUND  a host is not there; the message names it
 */
enum hitop_status hitop_placement_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int nhosts, int *rank, struct hitop_diag *diag);

/* Another rank, as near to `rank` as any; HITOP_NO_RANK where it is the only one. */
int hitop_placement_neighbour(const struct hitop_hierarchy *h, int rank);

#endif /* HITOP_PLACEMENT_RANKS_H */
