/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_H
#define FABRIC_H

/*
 * fabric.h - find nested groups of hosts in a network of switches whose stages are not known.
 *
 * An innermost group has the hosts that are connected to the same switches. A host with links to
 * only some of the switches of a group with more hosts belongs to that group, because most likely
 * one of its cables is down.
 *
 * The height of a switch is its distance from the nearest switch with hosts. Outer groups are found
 * by adding links from the lowest upwards: first those within height 0 (and the ports of hosts at
 * several switches), then those between heights 0 and 1, within 1, between 1 and 2, and so on.
 * Hosts that are connected after a step form a group; a step that joins no groups makes no layer.
 *
 *     network                                   groups from the innermost outwards
 *     leaf switches with common spines          leaf switch | all
 *     such pods with common core switches       leaf switch | pod | all
 *     cells with links between their spines     leaf switch | cell | all
 *     one leaf switch per rail, then as above   switches of all rails | (pod) | all
 */

#include "hierarchy/text/storage.h"

struct fabric_link {
    int from, to; /* from: a switch, or the host of a port; to: a switch */
};

/* The network. The caller owns the arrays. */
struct fabric {
    int nhosts, nswitches;
    const struct fabric_link *port; /* from hosts to switches; duplicates are allowed */
    const struct fabric_link *link; /* between switches, in either direction, also duplicates */
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
