/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ELEMENT_H
#define ELEMENT_H

/*
 * element.h - the elements of a hierarchy that can be drawn: groups, and the ranks of one host in a
 * group with several hosts. A group with ranks of one host only and its ranks are one element.
 */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

#include <stdint.h>

struct element {
    int node;   /* group, or smallest rank */
    int parent; /* -1 for the root */
    int first_child, nchildren;
    int depth;
    uint64_t shape;  /* a hash; equal for alike elements */
    int first_alike; /* the first sibling that is alike, or itself */
    int is_host;     /* a host, or ranks of one */
    int rows;        /* lines of its drawing; see drawing.c */
};

/* 1 for a group and for the smallest rank of a leaf set, which stands for the others. */
static inline int element_is_first(const struct hitop_hierarchy *h, int node)
{
    int count;

    return node >= hitop_hierarchy_nranks(h) ||
           hitop_hierarchy_leaf_set(h, hitop_hierarchy_leaf_sets(h, node, &count), &count)->first ==
               node;
}

/* Parents come before their children; siblings are contiguous, by smallest rank. */
struct elements {
    struct element *at;
    int n;
    int depth; /* the largest one */
};

/* Only fails with HITOP_ERR_NOMEM, and then without a message. */
HITOP_MUST_CHECK enum hitop_status
hitop_elements_fill(struct elements *e, const struct hitop_hierarchy *h, struct storage *storage);

#endif /* ELEMENT_H */
