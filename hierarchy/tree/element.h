/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ELEMENT_H
#define ELEMENT_H

/*
 * element.h - what can be drawn of a hierarchy: groups, and the ranks of a host that lie directly in a
 * group of several. A group that holds nothing but ranks of one host is one element with them.
 */

#include "hitop/hierarchy.h"

#include <stdint.h>

struct element {
    int node;   /* group, or smallest rank */
    int parent; /* -1 for the root */
    int first_child, nchildren;
    int depth;
    uint64_t shape;  /* alike elements have equal ones */
    int first_alike; /* the first of its siblings that is like it; itself if there is none before */
    int is_host;     /* a host, or ranks of one */
    int rows;        /* lines it takes; see fold.h */
};

/* Parents come before their children, which stand side by side, by smallest rank. */
struct elements {
    struct element *at;
    int n;
    int depth; /* the largest one */
};

/* Only fails with HITOP_ERR_NOMEM, and then without a message. */
HITOP_MUST_CHECK enum hitop_status hitop_elements_fill(struct elements *e,
                                                       const struct hitop_hierarchy *h);

void hitop_elements_clear(struct elements *e);

#endif /* ELEMENT_H */
