/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFF_MATCH_H
#define DIFF_MATCH_H

/* diff_match.h - match the nodes of two hierarchies. */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

struct diff_side {
    const struct hitop_hierarchy *h;
    int *match;   /* by node: its match on the other side, or HITOP_NO_NODE */
    int *begin;   /* by node: index of its first rank in rank_at[] */
    int *rank_at; /* ranks in an order in which those of any group are contiguous */
    int *count;   /* by node: scratch; 0 between uses */
};

struct diff {
    struct diff_side a, b;
    void (*found)(void *data, const char *line);
    void *data;
    struct storage scratch;
};

/* Match the groups. The ranks must already be matched. */
void hitop_diff_match_groups(struct diff *d);

#endif /* DIFF_MATCH_H */
