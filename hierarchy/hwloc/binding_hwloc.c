/* SPDX-License-Identifier: BSD-3-Clause */
/* binding_hwloc.c - find the binding of this process by hwloc. */
#include <config.h>

#include "hierarchy/hwloc/levels_hwloc.h"
#include "hierarchy/job/binding.h"

#include <hwloc.h>

static int count_cores(hwloc_topology_t topology)
{
    int n = 0;

    for (hwloc_obj_t o = hitop_host_levels_next_core(topology, NULL); o;
         o = hitop_host_levels_next_core(topology, o)) {
        n++;
    }
    return n;
}

/*
 * The topology includes processors that this process may not use. Otherwise processes in containers
 * with different processors would number the parts of the host differently.
 */
void hitop_binding_find(struct binding *binding)
{
    hwloc_topology_t topology = NULL;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    struct host_levels levels;

    *binding = (struct binding){.place = HITOP_PLACE_INIT(NULL)};
    if (set && hwloc_topology_init(&topology) == 0 &&
        hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
        hwloc_topology_load(topology) == 0 &&
        hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(set)) {
        hitop_host_levels_find(topology, &levels);
        hitop_host_levels_print(&levels, binding->levels, sizeof(binding->levels));
        if (!hitop_host_levels_place(topology, &levels, set, &binding->place) &&
            hwloc_topology_is_thissystem(topology) && /* else a launcher's binding is hidden */
            hwloc_bitmap_isincluded(hwloc_topology_get_allowed_cpuset(topology), set)) {
            binding->free_cores = count_cores(topology);
        }
    }
    if (topology) {
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(set);
}
