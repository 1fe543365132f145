/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFF_H
#define DIFF_H

/* diff.h - two hierarchies side by side: which node of one is which node of the other. */

#include "hitop/hierarchy.h"

struct diff_side {
    const struct hitop_hierarchy *h;
    int *match; /* by node: the same node of the other side, or HITOP_NO_NODE */
    int *
        begin; /* by node: place of its ranks in an order in which those of any group follow each other */
    int *rank_at; /* by place */
    int *count;   /* by node: for whoever needs one; all 0 in between */
};

struct diff {
    struct diff_side a, b;
    void (*found)(void *data, const char *line);
    void *data;
    int out_of_memory; /* sticky */
};

/* Find out which groups are the same; ranks are matched already. */
void diff_match_groups(struct diff *d);

/* Tell a difference. */
void diff_tell(struct diff *d, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* How a node is called in a message: "cluster alpha", "host n1", "group of rank 3". */
struct diff_title {
    char text[256];
};

struct diff_title diff_title(const struct hitop_hierarchy *h, int node);

struct host_entry;

/* The parts of a report; entries of all ranks of either side by host, then rank. */
void diff_hosts(struct diff *d, const struct host_entry *a, const struct host_entry *b);
void diff_groups(struct diff *d);
void diff_attrs(struct diff *d, const struct host_entry *a);

/* The lowest group above a node that the other side has too, or HITOP_NO_NODE. */
int diff_common_parent(const struct diff_side *side, int node);

#endif /* DIFF_H */
