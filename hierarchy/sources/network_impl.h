/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NETWORK_IMPL_H
#define NETWORK_IMPL_H

/* network_impl.h - the switches, links and hosts of a network. */

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/text/text_index.h"
#include "hitop/sys/source.h"

struct network_node {
    const char *level; /* NULL: follows from the stage */
    const char *name;
    int line;      /* that names it first */
    int described; /* line with its description, or 0 */
};

struct network_link {
    int child, parent, line;
};

struct network_attachment {
    int place, node, line;
};

/* A file whose first line is base + 1. */
struct network_file {
    const char *name;
    int base;
};

struct network {
    const struct network_rules *rules;
    const struct hitop_place *place;
    int nplaces;
    struct host_match *match;

    struct network_node *node;
    struct network_link *link;
    struct network_attachment *attachment;
    int nnodes, nlinks, nattachments;
    int max_nodes, max_links, max_attachments;
    struct network_file *file; /* none: all lines are those of rules->file */
    int nfiles, max_files, nlines;
    struct text_index index; /* of "level\tname"; their numbers are those of nodes */
    struct text_pool text;

    enum hitop_status status; /* of the first failure */
    struct hitop_diag diag;   /* its message */
};

/* The file of a line; *line becomes the number in that file. */
const char *hitop_network_locate(const struct network *net, int *line);

/* The switches directly above each switch, and its stage. */
struct network_order {
    int *first; /* [nnodes + 1]: index of the first switch above a node in above[] */
    int *above;
    int *stage; /* [nnodes] */
    int top;    /* highest stage */
};

/* Unique names of sets of switches that make one group. */
struct network_sets {
    struct network_set *set;
    int n, max;
    struct text_pool text;
};

/*
 * Name a set.
 *
 * name  of the n switches, n > 0; sorted here
 *
 * Returns NULL when out of memory; else valid until hitop_network_sets_clear().
 */
const char *hitop_network_set_name(struct network_sets *sets, const char **name, int n);

void hitop_network_sets_clear(struct network_sets *sets);

#endif /* NETWORK_IMPL_H */
