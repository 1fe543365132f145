/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEVELS_HWLOC_H
#define LEVELS_HWLOC_H

/* levels_hwloc.h - the levels of a host that processors share, by hwloc. */

#include "hitop/source.h"

#include <stddef.h>

struct hwloc_bitmap_s;
struct hwloc_obj;
struct hwloc_topology;

struct host_levels {
    int n;
    struct host_level {
        const char *name;
        int kind;          /* of parts */
        int depth;         /* of hwloc */
        int span;          /* processors of the largest part */
    } level[HITOP_NPARTS]; /* outermost first */
};

/* Find the levels of a topology, also those with a single part. */
void hitop_host_levels_find(struct hwloc_topology *topology, struct host_levels *levels);

/* Write their names, "package numa l3". */
void hitop_host_levels_print(const struct host_levels *levels, char *out, size_t length);

/*
 * Set the numbers of the parts that contain all processors of set. Returns 1 if every level has
 * one.
 */
int hitop_host_levels_place(struct hwloc_topology *topology, const struct host_levels *levels,
                            const struct hwloc_bitmap_s *set, struct hitop_place *place);

/*
 * The next core of which at least a part may be used; before is NULL for the first one. Processing
 * units if the topology has no cores. NULL at the end.
 */
struct hwloc_obj *hitop_host_levels_next_core(struct hwloc_topology *topology,
                                              struct hwloc_obj *before);

#endif /* LEVELS_HWLOC_H */
