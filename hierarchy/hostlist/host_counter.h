/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_COUNTER_H
#define HOST_COUNTER_H

/* host_counter.h - number and names of the hosts that have ranks in groups. */

#include "hitop/hierarchy.h"

struct host_counter {
    const struct hitop_hierarchy *h;
    int *host_of; /* by leaf set: the first set of its host */
    int *seen;    /* by first set of a host: the last turn in which the host was counted */
    int turn;
};

/* Only fails with HITOP_ERR_NOMEM, and then without a message. */
HITOP_MUST_CHECK enum hitop_status hitop_host_counter_begin(struct host_counter *c,
                                                            const struct hitop_hierarchy *h);

/*
 * Number of hosts below a node that were not counted since hitop_host_counter_renew(). If host is
 * not NULL, it receives their names in the order of their first ranks below the node; it needs room
 * for as many as the node has leaf sets.
 */
int hitop_host_counter_add(struct host_counter *c, int node, const char **host);

/* No host is counted. */
void hitop_host_counter_renew(struct host_counter *c);

void hitop_host_counter_end(struct host_counter *c);

#endif /* HOST_COUNTER_H */
