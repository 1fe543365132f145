/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IBNET_H
#define IBNET_H

/* ibnet.h - an InfiniBand fabric as ibnetdiscover(8) prints it. */

#include "hierarchy/text/text_pool.h"
#include "hitop/status.h"

enum ibnet_kind { IBNET_SWITCH = 'S', IBNET_ADAPTER = 'H', IBNET_ROUTER = 'R' };

struct ibnet_node {
    const char *id; /* e.g. "S-2c5eab0300b87b40" */
    enum ibnet_kind kind;
    const char *description; /* what administrators call it; may be "" */
    int line;                /* of its block, 0 when it has none */
};

/* Seen from one end or from both, and once per cable. */
struct ibnet_link {
    int from, to; /* nodes */
};

struct ibnet {
    struct ibnet_node *node;
    struct ibnet_link *link;
    int nnodes, nlinks;
    int nerrors, error_line; /* lines about queries that failed, and the first of them */
    struct text_pool text;
};

/* HITOP_ERR_FORMAT names file and line. Clear in any case. */
HITOP_MUST_CHECK enum hitop_status hitop_ibnet_read(const char *file, struct ibnet *out,
                                                    struct hitop_diag *diag);

/*
 * What each switch is called, in the order of the nodes: the name within its description, or else all of
 * it, or else the id, whichever no other switch shares. The strings live as long as the fabric.
 * HITOP_ERR_NOMEM without a message.
 */
HITOP_MUST_CHECK enum hitop_status hitop_ibnet_title_switches(struct ibnet *net,
                                                              const char **title);

void hitop_ibnet_clear(struct ibnet *net);

#endif /* IBNET_H */
