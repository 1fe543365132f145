/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ATTR_LIST_H
#define ATTR_LIST_H

/*
 * attr_list.h - attributes of many owners: collected in any order, then sorted for binary search.
 *
 * Few nodes of a large hierarchy have attributes. A list of attributes needs less memory than an
 * array with an entry per node.
 */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

/* Kind of the ids that a file gives to nodes; they are stored as attributes without a key. */
enum { ATTR_ID = HITOP_ATTR_OF_GRAPH + 1 };

/* Owner of the attributes of the graph. */
enum { ATTR_GRAPH = HITOP_NO_NODE };

struct attr_owner {
    int of;    /* enum hitop_attr_of or ATTR_ID */
    int owner; /* node, or ATTR_GRAPH */
};

struct attr_entry {
    struct attr_owner owner;
    int order; /* number of the addition; a later entry replaces one of equal owner and key */
    struct hitop_attr attr;
};

/* In the order of addition. All zero is empty. */
struct attr_list {
    struct attr_entry *entry;
    int count, max;
};

/* Sorted by owner, then key; keys of one owner differ. */
struct attr_table {
    struct attr_owner *owner;
    struct hitop_attr *attr;
    int count;
};

/* The list keeps pointers to the strings of attr, not copies. Returns 0 when out of memory. */
int hitop_attr_list_add(struct attr_list *list, struct attr_owner owner, struct hitop_attr attr);

void hitop_attr_list_clear(struct attr_list *list);

/*
 * Sort the list, and copy the last entry of each owner and key to arrays in the storage. Returns 0
 * when out of memory.
 */
int hitop_attr_table_fill(struct attr_table *table, struct attr_list *list,
                          struct storage *storage);

/* The *count attributes of an owner, by key. */
const struct hitop_attr *hitop_attr_table_find(const struct attr_table *table,
                                               struct attr_owner owner, int *count);

#endif /* ATTR_LIST_H */
