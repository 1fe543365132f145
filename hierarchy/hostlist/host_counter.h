/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_COUNTER_H
#define HOST_COUNTER_H

/* host_counter.h - count and name the hosts that have ranks in a group. */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

struct host_counter {
    const struct hitop_hierarchy *h;
    int *host_of; /* by leaf set: the first set of its host */
    int *seen;    /* by first set of a host: the last turn in which the host was counted */
    int turn;     /* the caller raises it before each new count, also before the first one */
};

/* The counter is not valid if the storage is out of memory. */
void hitop_host_counter_begin(struct host_counter *c, const struct hitop_hierarchy *h,
                              struct storage *storage);

/*
 * Number of hosts below a node that were not counted in this turn. If host is not NULL, it receives
 * their names in the order of their first ranks below the node; it needs room for as many as the
 * node has leaf sets.
 */
int hitop_host_counter_add(struct host_counter *c, int node, const char **host);

#endif /* HOST_COUNTER_H */
