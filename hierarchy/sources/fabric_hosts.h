/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_HOSTS_H
#define FABRIC_HOSTS_H

/*
 * fabric_hosts.h - a network of switches and hosts, and the groups of hosts at the same switches.
 */

#include "hitop/status.h"

struct fabric_link {
    int from, to; /* switch and switch, or host and switch */
};

/* What is known; the caller's. */
struct fabric {
    int nhosts, nswitches;
    const struct fabric_link *port; /* from hosts to switches; the same one may come twice */
    const struct fabric_link *link; /* between switches, in either direction; likewise */
    int nports, nlinks;
};

/* One group each host is in; -1 for hosts without a port. */
struct fabric_layer {
    int *group; /* per host: 0 to ngroups - 1 */
    int ngroups;
    int *first; /* per group: where its switches begin in sw[]; ngroups + 1 entries */
    int *sw;    /* the highest switches that it takes to connect it, ascending */
};

/*
 * The innermost layer, and what hosts miss of it, one number each. HITOP_ERR_NOMEM without a
 * message; clear both in any case.
 */
enum hitop_status fabric_find_innermost(const struct fabric *f, struct fabric_layer *out,
                                        int **missing);

void fabric_layer_clear(struct fabric_layer *layer);

#endif /* FABRIC_HOSTS_H */
