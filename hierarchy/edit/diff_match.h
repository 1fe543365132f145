/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFF_MATCH_H
#define DIFF_MATCH_H

/* diff_match.h - two hierarchies side by side: which node of one is which node of the other. */

#include "hitop/hierarchy.h"

struct diff_side {
    const struct hitop_hierarchy *h;
    int *match; /* by node: the same node of the other side, or HITOP_NO_NODE */
    /* By node: place of its ranks in an order in which those of any group follow each other. */
    int *begin;
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
void hitop_diff_match_groups(struct diff *d);

#endif /* DIFF_MATCH_H */
