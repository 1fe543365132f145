/* SPDX-License-Identifier: BSD-3-Clause */
/* binding_hwloc.c - the binding of this process as hwloc sees it. */
#include <config.h>

#include "binding.h"

#include <hwloc.h>

/* Number of the only object of a type that holds all processors of set, or HITOP_UNBOUND. */
static int only_object(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t set)
{
    for (hwloc_obj_t o = hwloc_get_next_obj_by_type(topology, type, NULL); o;
         o = hwloc_get_next_obj_by_type(topology, type, o)) {
        if (o->cpuset && hwloc_bitmap_isincluded(set, o->cpuset)) {
            return (int)o->logical_index;
        }
    }
    return HITOP_UNBOUND;
}

void binding_find(struct hitop_place *place)
{
    hwloc_topology_t topology = NULL;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();

    place->package = place->numa = place->l3 = HITOP_UNBOUND;
    if (set && hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0 &&
        hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(set)) {
        place->package = only_object(topology, HWLOC_OBJ_PACKAGE, set);
        place->numa = only_object(topology, HWLOC_OBJ_NUMANODE, set);
        place->l3 = only_object(topology, HWLOC_OBJ_L3CACHE, set);
    }
    if (topology) {
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(set);
}
