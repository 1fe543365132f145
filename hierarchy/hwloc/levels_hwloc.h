/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEVELS_HWLOC_H
#define LEVELS_HWLOC_H

/* levels_hwloc.h - the levels inside a host, such as packages and NUMA nodes, by hwloc. */

#include "hitop/source.h"

#include <stddef.h>

struct hwloc_bitmap_s;
struct hwloc_obj;
struct hwloc_topology;

struct host_levels {
    int n;
    struct host_level {
        const char *name;
        int kind;          /* HITOP_PART_... */
        int depth;         /* hwloc depth */
        int span;          /* number of processors of the largest part */
    } level[HITOP_NPARTS]; /* outermost first */
};

/* Find the levels of a topology, also those with a single part. */
void hitop_host_levels_find(struct hwloc_topology *topology, struct host_levels *levels);

/* Write their names, "package numa l3". */
void hitop_host_levels_print(const struct host_levels *levels, char *out, size_t length);

/*
 * For each level, store in place->part[] the number of the part that contains all processors of
 * set, or HITOP_UNBOUND. Returns 1 if every level has such a part.
 */
int hitop_host_levels_place(struct hwloc_topology *topology, const struct host_levels *levels,
                            const struct hwloc_bitmap_s *set, struct hitop_place *place);

/*
 * The next core after `before` with a processor that this process may use; NULL at the end.
 * `before` is NULL for the first core. If the topology has no cores, processing units are returned.
 */
struct hwloc_obj *hitop_host_levels_next_core(struct hwloc_topology *topology,
                                              struct hwloc_obj *before);

#endif /* LEVELS_HWLOC_H */
