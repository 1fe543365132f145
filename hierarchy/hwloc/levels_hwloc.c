/* SPDX-License-Identifier: BSD-3-Clause */
/* levels_hwloc.c - find the levels inside a host, and sort them by the size of their parts. */
#include <config.h>

#include "hierarchy/hwloc/levels_hwloc.h"

#include "hierarchy/text/part_names.h"

#include <hwloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hwloc_obj_type_t types[HITOP_NPARTS] = {
    HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE,   HWLOC_OBJ_GROUP,    HWLOC_OBJ_GROUP,
    HWLOC_OBJ_GROUP,   HWLOC_OBJ_GROUP, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L3CACHE};

/*
 * 1 if an object has processors and is a part of the host. A NUMA node that contains all processors
 * of a smaller NUMA node is no part, for example CXL memory that all packages access alike.
 */
static int is_part(hwloc_topology_t topology, int depth, hwloc_obj_t o)
{
    if (!o->cpuset || hwloc_bitmap_iszero(o->cpuset)) {
        return 0;
    }
    if (o->type != HWLOC_OBJ_NUMANODE) {
        return 1;
    }
    for (hwloc_obj_t p = hwloc_get_next_obj_by_depth(topology, depth, NULL); p;
         p = hwloc_get_next_obj_by_depth(topology, depth, p)) {
        if (p->cpuset && !hwloc_bitmap_iszero(p->cpuset) &&
            hwloc_bitmap_isincluded(p->cpuset, o->cpuset) &&
            !hwloc_bitmap_isequal(p->cpuset, o->cpuset)) {
            return 0;
        }
    }
    return 1;
}

static hwloc_obj_t next_part(hwloc_topology_t topology, int depth, hwloc_obj_t before)
{
    hwloc_obj_t o = before;

    do {
        o = hwloc_get_next_obj_by_depth(topology, depth, o);
    } while (o && !is_part(topology, depth, o));
    return o;
}

/* Number of processors of the largest part at a depth; 0 if there are none. */
static int find_span(hwloc_topology_t topology, int depth)
{
    int most = 0;

    for (hwloc_obj_t o = next_part(topology, depth, NULL); o; o = next_part(topology, depth, o)) {
        const int n = hwloc_bitmap_weight(o->cpuset);
        most = n > most ? n : most;
    }
    return most;
}

static void add(hwloc_topology_t topology, struct host_levels *levels, int kind, int depth)
{
    const int span = find_span(topology, depth);
    int at = levels->n;

    if (span < 1) {
        return;
    }
    while (at > 0 && levels->level[at - 1].span < span) { /* equal spans: in the order of kinds */
        levels->level[at] = levels->level[at - 1];
        at--;
    }
    levels->level[at] =
        (struct host_level){.name = part_names[kind], .kind = kind, .depth = depth, .span = span};
    levels->n++;
}

static int is_known_span(const struct host_levels *levels, int span)
{
    for (int i = 0; i < levels->n; i++) {
        if (levels->level[i].span == span) {
            return 1;
        }
    }
    return 0;
}

/*
 * Add levels of hwloc groups. hwloc makes groups for parts without a type of their own that the
 * operating system or distances show, perhaps at several depths: drawers of books, boards of
 * packages, clusters of cores. A level is added if its parts are larger than a core, smaller than
 * the host, and different in size from known levels; at most the four outermost. The innermost is
 * "group", the next one "group2". Must be called after all other levels are known.
 */
static void add_groups(hwloc_topology_t topology, struct host_levels *levels)
{
    enum { MOST = HITOP_PART_GROUP - HITOP_PART_GROUP4 + 1 };
    const int core = find_span(topology, hwloc_get_type_depth(topology, HWLOC_OBJ_CORE));
    const int machine = find_span(topology, 0);
    int at[MOST], n = 0, last = machine;

    for (int depth = 0; depth < hwloc_topology_get_depth(topology) && n < MOST; depth++) {
        const int span = hwloc_get_depth_type(topology, depth) == HWLOC_OBJ_GROUP
                             ? find_span(topology, depth)
                             : machine;
        if (span > core && span < last && !is_known_span(levels, span)) {
            at[n++] = depth;
            last = span;
        }
    }
    for (int i = 0; i < n; i++) {
        add(topology, levels, HITOP_PART_GROUP - n + 1 + i, at[i]);
    }
}

void hitop_host_levels_find(hwloc_topology_t topology, struct host_levels *levels)
{
    *levels = (struct host_levels){.n = 0};
    for (int kind = 0; kind < HITOP_NPARTS; kind++) {
        const int depth = hwloc_get_type_depth(topology, types[kind]);
        if (types[kind] != HWLOC_OBJ_GROUP && depth != HWLOC_TYPE_DEPTH_UNKNOWN &&
            depth != HWLOC_TYPE_DEPTH_MULTIPLE) {
            add(topology, levels, kind, depth);
        }
    }
    add_groups(topology, levels);
}

void hitop_host_levels_print(const struct host_levels *levels, char *out, size_t length)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < levels->n && used < length; i++) {
        used += (size_t)snprintf(out + used, length - used, i > 0 ? " %s" : "%s",
                                 levels->level[i].name);
    }
}

/* Number of the part at a depth that contains all processors of set, or HITOP_UNBOUND. */
static int only_part(hwloc_topology_t topology, int depth, hwloc_const_bitmap_t set)
{
    for (hwloc_obj_t o = hwloc_get_next_obj_by_depth(topology, depth, NULL); o;
         o = hwloc_get_next_obj_by_depth(topology, depth, o)) {
        /* is_part() is last because it is expensive: it compares with all other parts */
        if (o->cpuset && hwloc_bitmap_isincluded(set, o->cpuset) && is_part(topology, depth, o)) {
            return (int)o->logical_index;
        }
    }
    return HITOP_UNBOUND;
}

int hitop_host_levels_place(hwloc_topology_t topology, const struct host_levels *levels,
                            hwloc_const_bitmap_t set, struct hitop_place *place)
{
    int is_inside = 1;

    for (int kind = 0; kind < HITOP_NPARTS; kind++) {
        place->part[kind] = HITOP_UNBOUND;
    }
    for (int i = 0; i < levels->n; i++) {
        int *mine = &place->part[levels->level[i].kind];
        *mine = hwloc_bitmap_iszero(set) ? HITOP_UNBOUND
                                         : only_part(topology, levels->level[i].depth, set);
        is_inside = is_inside && *mine != HITOP_UNBOUND;
    }
    return is_inside;
}

hwloc_obj_t hitop_host_levels_next_core(hwloc_topology_t topology, hwloc_obj_t before)
{
    const hwloc_obj_type_t type =
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    const hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    hwloc_obj_t o = before;

    do {
        o = hwloc_get_next_obj_by_type(topology, type, o);
    } while (o && !hwloc_bitmap_intersects(o->cpuset, allowed));
    return o;
}
