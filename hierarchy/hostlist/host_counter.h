/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_COUNTER_H
#define HOST_COUNTER_H

/* host_counter.h - how many hosts, and which, have ranks in a group. */

#include "hitop/hierarchy.h"

struct host_counter {
    const struct hitop_hierarchy *h;
    int *host_of; /* by leaf set: the set that stands for its host */
    int *seen;    /* by leaf set that stands for a host: last group in which it was counted */
    int turn;
};

/* Only fails with HITOP_ERR_NOMEM, and then without a message. */
HITOP_MUST_CHECK enum hitop_status hitop_host_counter_begin(struct host_counter *c,
                                                            const struct hitop_hierarchy *h);

/*
 * Number of hosts below a node that are below none of the nodes before. With host not NULL, their names are put there, in the order of their
 * first ranks below the node; there must be room for as many as the node has leaf sets.
 */
int hitop_host_counter_add(struct host_counter *c, int node, const char **host);

/* Begin anew. */
void hitop_host_counter_renew(struct host_counter *c);

void hitop_host_counter_end(struct host_counter *c);

#endif /* HOST_COUNTER_H */
