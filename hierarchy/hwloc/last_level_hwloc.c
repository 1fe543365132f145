/* SPDX-License-Identifier: BSD-3-Clause */
/* last_level_hwloc.c - find the last-level cache by hwloc, or by sysconf(). */
#include <config.h>

#include "hierarchy/hwloc/last_level.h"

#include <hwloc.h>
#include <unistd.h>

/* The result if the size is unknown, and the largest plausible size. */
static const size_t usual = (size_t)32 << 20, most = (size_t)1 << 30;

/* Bytes of the largest cache at a depth that serves processors of the set. */
static size_t largest_at(hwloc_topology_t topology, int depth, hwloc_const_cpuset_t set)
{
    size_t bytes = 0;

    for (hwloc_obj_t o = hwloc_get_next_obj_by_depth(topology, depth, NULL); o;
         o = hwloc_get_next_obj_by_depth(topology, depth, o)) {
        if (hwloc_bitmap_intersects(o->cpuset, set) && o->attr->cache.size > bytes) {
            bytes = (size_t)o->attr->cache.size;
        }
    }
    return bytes;
}

/* The size from hwloc, or 0. The outermost data cache is the last-level cache. */
static size_t from_hwloc(void)
{
    hwloc_topology_t topology = NULL;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    size_t bytes = 0;

    if (set && hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0) {
        if (hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) != 0 ||
            hwloc_bitmap_iszero(set)) {
            hwloc_bitmap_fill(set);
        }
        for (int depth = 0; bytes == 0 && depth < hwloc_topology_get_depth(topology); depth++) {
            if (hwloc_obj_type_is_dcache(hwloc_get_depth_type(topology, depth))) {
                bytes = largest_at(topology, depth, set);
            }
        }
    }
    if (topology) {
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(set);
    return bytes;
}

/* The size from sysconf() for the current processor, or 0. */
static size_t from_system(void)
{
    size_t bytes = 0;
#if defined(_SC_LEVEL4_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE) &&                            \
    defined(_SC_LEVEL2_CACHE_SIZE)
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                 _SC_LEVEL2_CACHE_SIZE};

    for (size_t i = 0; bytes == 0 && i < sizeof(levels) / sizeof(levels[0]); i++) {
        const long said = sysconf(levels[i]);
        bytes = said > 0 ? (size_t)said : 0;
    }
#endif
    return bytes;
}

size_t hitop_last_level_cache(void)
{
    size_t bytes = from_hwloc();

    if (bytes == 0) {
        bytes = from_system();
    }
    return bytes == 0 ? usual : bytes < most ? bytes : most;
}
