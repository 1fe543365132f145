/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_H
#define FABRIC_H

/*
 * fabric.h - nested groups of hosts, found in a network of switches in which no switch has a rank.
 *
 * Innermost, hosts at the same switches form a group. A host at some of the switches of a more
 * numerous group belongs to that group, too: more likely one of its cables is down than that
 * someone built this.
 *
 * Further out it counts which links it takes to get from host to host. A switch is as high as its
 * distance from the nearest switch with hosts. Links are added from the lowest upwards: first those
 * within height 0 (and what hosts at several switches join), then those between heights 0 and 1,
 * within 1, between 1 and 2, and so on. Hosts that are connected after a step form a group; steps
 * that join nothing make none.
 *
 *     leaves below common spines         leaf switch | all
 *     pods of those below common cores   leaf switch | pod | all
 *     cells whose spines are joined      leaf switch | cell | all
 *     a switch per rail, as above        switches of all rails | (pod) | all
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

/* From the innermost outwards; all of a layer's groups are parts of the next one's. */
struct fabric_layers {
    struct fabric_layer *layer;
    int n;
    int *missing; /* per host: how many switches of its innermost group it is not at */
};

/* HITOP_ERR_NOMEM without a message; clear in any case. */
HITOP_MUST_CHECK enum hitop_status hitop_fabric_find_layers(const struct fabric *f,
                                                            struct fabric_layers *out);

void hitop_fabric_layers_clear(struct fabric_layers *layers);

#endif /* FABRIC_H */
