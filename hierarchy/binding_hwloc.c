/* SPDX-License-Identifier: BSD-3-Clause */
/* binding_hwloc.c - the binding of this process as hwloc sees it. */
#include <config.h>

#include "binding.h"
#include "levels_hwloc.h"

#include <hwloc.h>

void binding_find(struct binding *binding)
{
    hwloc_topology_t topology = NULL;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    struct host_levels levels;

    *binding = (struct binding){.place = HITOP_PLACE_INIT(NULL)};
    if (set && hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0 &&
        hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(set)) {
        host_levels_find(topology, &levels);
        host_levels_print(&levels, binding->levels, sizeof(binding->levels));
        host_levels_place(topology, &levels, set, &binding->place);
        if (host_levels_matter(&levels) &&
            hwloc_bitmap_isincluded(hwloc_topology_get_allowed_cpuset(topology), set)) {
            binding->free_cores = host_levels_count_cores(topology);
        }
    }
    if (topology) {
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(set);
}
