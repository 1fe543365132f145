/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MERGED_TREE_H
#define MERGED_TREE_H

/* merged_tree.h - the paths of all hosts and ranks merged into one tree. */

#include "hierarchy/tree/group_impl.h"

struct merged_group {
    const struct path_step *step; /* NULL for the root */
    int parent;                   /* index, or -1 for the root */
    int nmembers;                 /* groups and ranks directly inside */
    int nranks;                   /* at any depth */
    int newest;                   /* member group added last, or -1 */
};

struct merged_tree {
    const struct host_table *table;
    struct merged_group *group; /* [ngroups], parents before their members */
    int ngroups;
    int *innermost;         /* per rank: innermost group */
    int *innermost_of_host; /* per host: its group */
};

/*
 * Merge the paths of hosts and, unless inside is NULL, of ranks. Steps are lent by the paths.
 * HITOP_ERR_NOMEM without a message.
 */
enum hitop_status hitop_merge_paths(struct merged_tree *t, const struct host_table *table,
                                    const struct hitop_paths *hosts,
                                    const struct hitop_paths *inside, struct storage *scratch);

#endif /* MERGED_TREE_H */
