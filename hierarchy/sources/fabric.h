/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_H
#define FABRIC_H

/*
 * fabric.h - find nested groups of hosts in a network of switches whose stages are not known.
 *
 * Innermost groups have hosts at the same switches. A host at some of the switches of a larger
 * group belongs to that group, because most likely one of its cables is down.
 *
 * The height of a switch is its distance from the nearest switch with hosts. Outer groups are found
 * by adding links from the lowest upwards: first those within height 0 (and the ports of hosts at
 * several switches), then those between heights 0 and 1, within 1, between 1 and 2, and so on.
 * Hosts that are connected after a step form a group; a step that joins no groups makes no layer.
 *
 *     leaves below common spines         leaf switch | all
 *     pods of those below common cores   leaf switch | pod | all
 *     cells whose spines are joined      leaf switch | cell | all
 *     a switch per rail, as above        switches of all rails | (pod) | all
 */

#include "hierarchy/text/storage.h"

struct fabric_link {
    int from, to; /* switch and switch, or host and switch */
};

/* The network; lent. */
struct fabric {
    int nhosts, nswitches;
    const struct fabric_link *port; /* from hosts to switches; duplicates are allowed */
    const struct fabric_link *link; /* between switches, in either direction; likewise */
    int nports, nlinks;
};

/* A group for each host. */
struct fabric_layer {
    int *group; /* per host: 0 to ngroups - 1; -1 without a port */
    int ngroups;
    int *first; /* per group: index of its first switch in sw[]; ngroups + 1 entries */
    int *sw;    /* the highest switches of each group, ascending */
};

/* From the innermost outwards; the groups of a layer are parts of those of the next layer. */
struct fabric_layers {
    struct fabric_layer *layer;
    int n;
    int *missing; /* per host: number of switches of its innermost group to which it has no link */
};

/* Find the layers, which the storage owns. HITOP_ERR_NOMEM without a message. */
HITOP_MUST_CHECK enum hitop_status hitop_fabric_find_layers(const struct fabric *f,
                                                            struct storage *storage,
                                                            struct fabric_layers *out);

#endif /* FABRIC_H */
