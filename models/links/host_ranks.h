/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_RANKS_H
#define HOST_RANKS_H

/* host_ranks.h - which ranks share a host. */

#include "hitop/hierarchy.h"

struct host_ranks {
    int nhosts;
    int *innermost; /* [nranks] host of a rank; hosts are numbered by their smallest rank */
    int *rank;      /* [nranks] the ranks of host 0, then those of host 1, ... */
    int *begin;     /* [nhosts + 1] index in rank of the first rank of a host */
};

/* The caller clears out, also on failure. */
enum hitop_status hitop_host_ranks_fill(struct host_ranks *out, const struct hitop_hierarchy *h,
                                        struct hitop_diag *diag);
void hitop_host_ranks_clear(struct host_ranks *hosts);

#endif /* HOST_RANKS_H */
