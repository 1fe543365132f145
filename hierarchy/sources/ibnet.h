/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IBNET_H
#define IBNET_H

/* ibnet.h - an InfiniBand fabric in the output of ibnetdiscover(8). */

#include "hierarchy/text/storage.h"

enum ibnet_kind { IBNET_SWITCH = 'S', IBNET_ADAPTER = 'H', IBNET_ROUTER = 'R' };

struct ibnet_node {
    const char *id; /* e.g. "S-2c5eab0300b87b40" */
    enum ibnet_kind kind;
    const char *description; /* the administrators' name; may be "" */
    int line;                /* first line of its block, or 0 without a block */
};

/* A cable. A file lists it at one end or at both ends. */
struct ibnet_link {
    int from, to; /* nodes */
};

struct ibnet {
    struct ibnet_node *node;
    struct ibnet_link *link;
    int nnodes, nlinks;
    int nerrors, error_line; /* number of lines about failed queries, and the first one */
    struct storage text;
};

/*
 * Read a file into an empty fabric. HITOP_ERR_FORMAT: the message names file and line. The caller
 * clears its storage in any case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_ibnet_read(const char *file, struct ibnet *out,
                                                    struct hitop_diag *diag);

/*
 * Find a unique title for each switch: the name in its description, the whole description or the
 * id, whichever is unique first. Titles are in the order of the nodes; the fabric owns them. NULL
 * when out of memory.
 */
const char **hitop_ibnet_title_switches(struct ibnet *net);

#endif /* IBNET_H */
