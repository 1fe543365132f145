/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GROUP_IMPL_H
#define GROUP_IMPL_H

/* group_impl.h - the steps of grouping: hosts of ranks, paths by sources, one tree. */

#include "hierarchy/tree/paths.h"

/* The host of each rank. */
struct host_table {
    int nhosts, nranks;
    int *host_of;             /* per rank: index of its host */
    struct hitop_place *host; /* per host: the place of its first rank */
};

/* Hosts in the order of their first ranks. HITOP_ERR_NOMEM without a message. */
enum hitop_status hitop_host_table_fill(struct host_table *t, const struct hitop_place *place,
                                        int nranks, struct storage *storage);

/* Run the sources of layers first..last for these places. */
enum hitop_status hitop_run_sources(const struct hitop_place *place, int nplaces,
                                    const struct hitop_grouping *how, int first, int last,
                                    struct hitop_paths *paths, struct hitop_diag *diag);

/* HITOP_ERR_NOTFOUND if the options name a source that does not exist. */
enum hitop_status hitop_check_sources(const struct hitop_grouping *how, struct hitop_diag *diag);

/* Order of two steps; 0 if they lead to the same group. */
int hitop_compare_steps(const struct path_step *x, const struct path_step *y);

/* Order of the paths of two places, the shorter one first; 0 if they are in the same groups. */
int hitop_compare_paths(const struct hitop_paths *paths, int x, int y);

/*
 * Remove the sites if they would divide a group of a source that knows all sites, because such a
 * group is more reliable than a domain. HITOP_ERR_NOMEM without a message.
 */
enum hitop_status hitop_drop_cut_sites(struct hitop_paths *paths);

/*
 * Build the hierarchy from the paths of hosts and, unless inside is NULL, the paths of ranks inside
 * hosts.
 */
enum hitop_status hitop_build_tree(const struct host_table *table, const struct hitop_paths *hosts,
                                   const struct hitop_paths *inside, int keep_chains,
                                   struct storage *scratch, struct hitop_hierarchy **out,
                                   struct hitop_diag *diag);

#endif /* GROUP_IMPL_H */
