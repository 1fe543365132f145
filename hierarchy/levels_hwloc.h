/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEVELS_HWLOC_H
#define LEVELS_HWLOC_H

/* levels_hwloc.h - the parts of a host that processors share, as hwloc sees them. */

#include "hitop/source.h"

#include <stddef.h>

struct hwloc_topology;
struct hwloc_bitmap_s;

/* Package, die, group, NUMA node, last-level cache. */
enum { HOST_LEVELS = 5 };

struct host_levels {
    int n;
    struct host_level {
        const char *name;
        int kind;         /* 0 to HOST_LEVELS-1, in the order above */
        int depth;        /* where hwloc keeps them */
        int count;        /* how many there are */
        int span;         /* processors below the largest one */
    } level[HOST_LEVELS]; /* outermost first */
};

/* Levels that a topology has, even those with a single part. */
void host_levels_find(struct hwloc_topology *topology, struct host_levels *levels);

/* Their names, "package numa l3". */
void host_levels_print(const struct host_levels *levels, char *out, size_t length);

/* 1 when any level has several parts. */
int host_levels_matter(const struct host_levels *levels);

/* Set the numbers of the parts that hold all processors of set. */
void host_levels_place(struct hwloc_topology *topology, const struct host_levels *levels,
                       const struct hwloc_bitmap_s *set, struct hitop_place *place);

/* Cores of a topology, or processing units where it knows no cores; 1 at least. */
int host_levels_count_cores(struct hwloc_topology *topology);

#endif /* LEVELS_HWLOC_H */
