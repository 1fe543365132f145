/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - make a hierarchy of places: find hosts, run sources, build the tree. */
#include <config.h>

#include "hierarchy/tree/group_impl.h"

static enum hitop_status check_arguments(const struct hitop_place *place, int nranks,
                                         const struct hitop_grouping *how, struct hitop_diag *diag)
{
    if (nranks < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "no ranks to group");
    }
    if (how->prefix_length < 0 || how->block < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s %d is negative",
                          how->prefix_length < 0 ? "prefix length" : "block",
                          how->prefix_length < 0 ? how->prefix_length : how->block);
    }
    for (int i = 0; i < how->nprefixes; i++) {
        if (!how->prefixes[i][0]) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "an empty prefix matches every host");
        }
    }
    for (int rank = 0; rank < nranks; rank++) {
        if (!place[rank].host[0]) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "rank %d has no host name", rank);
        }
    }
    return hitop_check_sources(how, diag);
}

/* Run the sources for hosts; the place of the first rank stands for its host. */
static enum hitop_status group_hosts(const struct host_table *t, const struct hitop_grouping *how,
                                     struct hitop_paths *paths, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_paths_init(paths, t->nhosts);

    if (status == HITOP_OK) {
        status = hitop_run_sources(t->host, t->nhosts, how, HITOP_LAYER_SITE, HITOP_LAYER_NETWORK,
                                   paths, diag);
    }
    if (status == HITOP_OK) { /* before the hardware of hosts with equal paths is compared */
        status = hitop_drop_cut_sites(paths);
    }
    if (status == HITOP_OK) {
        status = hitop_run_sources(t->host, t->nhosts, how, HITOP_LAYER_HARDWARE, HITOP_LAYER_HOST,
                                   paths, diag);
    }
    return status;
}

static int is_bound(const struct hitop_place *place)
{
    int i = 0;

    while (i < HITOP_NPARTS && place->part[i] == HITOP_UNBOUND) {
        i++;
    }
    return i < HITOP_NPARTS;
}

enum hitop_status hitop_hierarchy_group(const struct hitop_place *place, int nranks,
                                        const struct hitop_grouping *how,
                                        struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct hitop_paths hosts = {0}, inside = {0};
    struct storage scratch = {0};
    struct host_table table = {0};
    enum hitop_status status = check_arguments(place, nranks, how, diag);
    int any_bound = 0;

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    for (int rank = 0; rank < nranks && !any_bound; rank++) {
        any_bound = is_bound(&place[rank]);
    }
    status = hitop_host_table_fill(&table, place, nranks, &scratch);
    if (status == HITOP_OK) {
        status = group_hosts(&table, how, &hosts, diag);
    }
    if (status == HITOP_OK && any_bound) {
        status = hitop_paths_init(&inside, nranks);
        if (status == HITOP_OK) {
            status = hitop_run_sources(place, nranks, how, HITOP_LAYER_INSIDE, HITOP_LAYER_INSIDE,
                                       &inside, diag);
        }
    }
    if (status == HITOP_OK) {
        status = hitop_build_tree(&table, &hosts, any_bound ? &inside : NULL, how->keep_chains,
                                  &scratch, out, diag);
    }
    hitop_storage_clear(&scratch);
    hitop_paths_clear(&inside);
    hitop_paths_clear(&hosts);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "grouping: out of memory") : status;
}
