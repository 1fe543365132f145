/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ATTR_LIST_H
#define ATTR_LIST_H

/*
 * attr_list.h - attributes of many owners: collected in any order, then sorted and looked up.
 *
 * Few of the many nodes of a large hierarchy have attributes, so that there is no index of nodes.
 */

#include "hitop/hierarchy.h"

/* Ids that a file gives to nodes are kept here too, as attributes without a key. */
enum { ATTR_ID = HITOP_ATTR_OF_GRAPH + 1 };

/* Owner of what belongs to the graph as a whole. */
enum { ATTR_GRAPH = HITOP_NO_NODE };

struct attr_owner {
    int of;    /* enum hitop_attr_of or ATTR_ID */
    int owner; /* node, or ATTR_GRAPH */
};

struct attr_entry {
    struct attr_owner owner;
    int order; /* of adding: the last one with the same owner and key counts */
    struct hitop_attr attr;
};

/* While they are collected. All zero is empty. */
struct attr_list {
    struct attr_entry *entry;
    int count, max;
};

/* Sorted by owner, then key; keys of one owner differ. All zero is empty. */
struct attr_table {
    struct attr_owner *owner;
    struct hitop_attr *attr;
    int count;
};

/* Strings are lent for as long as the list lives. 0 when out of memory. */
int hitop_attr_list_add(struct attr_list *list, struct attr_owner owner, struct hitop_attr attr);

void hitop_attr_list_clear(struct attr_list *list);

/* Sort the list and copy what counts of it; 0 when out of memory. */
int hitop_attr_table_fill(struct attr_table *table, struct attr_list *list);

/* What owner has, *count of them, in the order of their keys. */
const struct hitop_attr *hitop_attr_table_find(const struct attr_table *table,
                                               struct attr_owner owner, int *count);

void hitop_attr_table_clear(struct attr_table *table);

#endif /* ATTR_LIST_H */
