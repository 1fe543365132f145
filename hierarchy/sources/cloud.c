/* SPDX-License-Identifier: BSD-3-Clause */
/* cloud.c - a list of instances of a cloud, and the forms in which clouds describe them. */
#include <config.h>

#include "hierarchy/sources/cloud.h"

#include "hierarchy/text/text_index.h"
#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

/* Names of up to LONGEST characters are kept; longer ones keep their last TAIL or more. */
enum { LONGEST = 48, TAIL = 8 };

struct cloud_instance *hitop_cloud_add(struct cloud *cloud, const struct cloud_instance *instance)
{
    if (!HITOP_GROW(cloud->instance, cloud->n, cloud->max)) {
        cloud->text.out_of_memory = 1;
        return NULL;
    }
    cloud->instance[cloud->n] = *instance;
    return &cloud->instance[cloud->n++];
}

static const char *tail_of(const char *text, size_t length)
{
    const size_t n = strlen(text);

    return n > length ? text + n - length : text;
}

/* Number of last characters in which all names differ; 0: names cannot be shortened. */
static size_t find_tail(const struct text_index *names)
{
    for (size_t length = TAIL; length <= LONGEST - strlen("..."); length += TAIL / 2) {
        struct text_index tails = {0};
        int is_new = 1;

        for (int i = 0; i < names->n && is_new; i++) {
            (void)hitop_text_index_put(&tails, tail_of(names->text[i], length), &is_new);
        }
        hitop_text_index_clear(&tails);
        if (is_new) {
            return length;
        }
    }
    return 0;
}

void hitop_cloud_shorten(struct cloud *cloud)
{
    struct text_index names = {0};
    size_t length = 0;

    for (int pass = 0; pass < 2; pass++) { /* find the long names, then replace them */
        for (int i = 0; i < cloud->n; i++) {
            for (int k = 0; k < cloud->instance[i].nsteps; k++) {
                const char **text = &cloud->instance[i].step[k].name;
                int is_new;

                if (strlen(*text) > LONGEST && pass == 0) {
                    cloud->text.out_of_memory |= hitop_text_index_put(&names, *text, &is_new) < 0;
                } else if (strlen(*text) > LONGEST && length > 0) {
                    *text = hitop_storage_print(&cloud->text, "...%s", tail_of(*text, length));
                }
            }
        }
        length = find_tail(&names);
    }
    hitop_text_index_clear(&names);
}

const char hitop_cloud_part_level[] = "subdomain";

void hitop_cloud_drop_lone_parts(struct cloud *cloud)
{
    struct text_index domains = {0};
    const char **part; /* of each domain: one of its parts */
    char *several;     /* of each domain: 1 if there are others */

    if (!STORAGE_ARRAY(&cloud->text, part, cloud->n) ||
        !STORAGE_ARRAY(&cloud->text, several, cloud->n)) {
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < cloud->n; i++) {
            struct cloud_instance *instance = &cloud->instance[i];
            const int n = instance->nsteps;
            const struct cloud_step *last;
            int is_new, domain;

            if (n < 2 || instance->step[n - 1].level != hitop_cloud_part_level) {
                continue;
            }
            last = &instance->step[n - 1];
            domain = hitop_text_index_put(&domains, last[-1].name, &is_new);
            if (domain < 0) {
                cloud->text.out_of_memory = 1;
            } else if (pass == 0) {
                several[domain] |= part[domain] && strcmp(part[domain], last->name) != 0;
                part[domain] = last->name;
            } else if (!several[domain]) {
                instance->nsteps--;
            }
        }
    }
    hitop_text_index_clear(&domains);
}

void hitop_cloud_clear(struct cloud *cloud)
{
    hitop_storage_clear(&cloud->text);
    free(cloud->instance);
}

/*
 * The forms in which clouds describe an instance.
 *
 * Sources: Amazon EC2 API Reference: InstanceTopology, Instance. Compute Engine API: Instance,
 * ResourceStatusPhysicalHostTopology. Oracle Cloud Infrastructure Core Services API:
 * ComputeHostSummary, ComputeBareMetalHostSummary, Instance; its instance metadata:
 * rdmaTopologyData. Azure: instance metadata service, Virtual Machines REST API, "azslurm
 * show_topology" of CycleCloud. NVIDIA topograph: engine graph, whose versions before 1.0 write
 * attributes.nvlink, the later ones labels (pkg/topology/graph.go); engine k8s.
 */

const struct cloud_form hitop_cloud_forms[] = {
    /* topograph */
    {.marks = "networkLayers",
     .id = "id",
     .name = {"id", "labels.'kubernetes.io/hostname'"},
     .switches = "networkLayers",
     .is_upwards = 1,
     .domain = "attributes.nvlink|labels.'accelerator.topograph.run/domain'|"
               "labels.'network.topology.nvidia.com/accelerator'",
     .part = "labels.'accelerator.topograph.run/subdomain'"},
    /* Kubernetes: nodes with labels of topograph or of Amazon's feature discovery */
    {.marks = "apiVersion",
     .name = {"metadata.labels.'kubernetes.io/hostname'", "metadata.name"},
     .level = {{"zone", "metadata.labels.'topology.kubernetes.io/zone'"},
               {"switch4", "metadata.labels.'fabric.topograph.run/tier3'"},
               {"switch3", "metadata.labels.'fabric.topograph.run/tier2'|"
                           "metadata.labels.'network.topology.nvidia.com/core'|"
                           "metadata.labels.'topology.k8s.aws/networknodelayer1'"},
               {"switch2", "metadata.labels.'fabric.topograph.run/tier1'|"
                           "metadata.labels.'network.topology.nvidia.com/spine'|"
                           "metadata.labels.'topology.k8s.aws/networknodelayer2'"},
               {"switch", "metadata.labels.'fabric.topograph.run/tier0'|"
                          "metadata.labels.'network.topology.nvidia.com/leaf'|"
                          "metadata.labels.'topology.k8s.aws/networknodelayer3'"}},
     .domain = "metadata.labels.'accelerator.topograph.run/domain'|"
               "metadata.labels.'network.topology.nvidia.com/accelerator'",
     .part = "metadata.labels.'accelerator.topograph.run/subdomain'"},
    /* Oracle: hosts, or the metadata of an instance about its host */
    {.marks = "hpcIslandId|networkBlockId|localBlockId|computeHpcIslandId|computeNetworkBlockId|"
              "computeLocalBlockId|customerHPCIslandId|customerNetworkBlock|customerLocalBlock|"
              "rdmaTopologyData",
     .id = "instanceId|id",
     .name = {"hostname", "displayName"},
     .level = {{"zone", "availabilityDomain"},
               {"island", "hpcIslandId|computeHpcIslandId|customerHPCIslandId|"
                          "rdmaTopologyData.customerHPCIslandId"},
               {"block", "networkBlockId|computeNetworkBlockId|customerNetworkBlock|"
                         "rdmaTopologyData.customerNetworkBlock"},
               {"subblock", "localBlockId|computeLocalBlockId|customerLocalBlock|"
                            "rdmaTopologyData.customerLocalBlock"}},
     .domain =
         "gpuMemoryFabricId|customerGpuMemoryFabric|rdmaTopologyData.customerGpuMemoryFabric"},
    /* Azure: blocks of CycleCloud; the metadata of an instance; virtual machines */
    {.marks = "blockName", .level = {{"block", "blockName"}}, .hosts = "nodeList"},
    {.marks = "compute",
     .id = "compute.vmId",
     .name = {"compute.osProfile.computerName", "compute.name"},
     .level = {{"zone", "compute.zone"}, {"placement", "compute.placementGroupId"}}},
    {.marks = "osProfile",
     .id = "vmId",
     .name = {"osProfile.computerName", "name"},
     .level = {{"placement", "proximityPlacementGroup.id"}}},
    /* Amazon: instance topology, or instances */
    {.marks = "networkNodes|instanceId",
     .id = "instanceId",
     .name = {"privateDnsName", "privateIpAddress", "instanceId"},
     .level = {{"zone", "availabilityZone|zoneId|placement.availabilityZone"}},
     .switches = "networkNodes",
     .domain = "capacityBlockId"},
    /* Oracle: instances */
    {.marks = "displayName",
     .id = "id",
     .name = {"hostname", "displayName"},
     .level = {{"zone", "availabilityDomain"}}},
    /* Google */
    {.marks = "resourceStatus|physicalHostTopology|name",
     .name = {"hostname", "name"},
     .level = {{"zone", "zone"},
               {"cluster",
                "resourceStatus.physicalHostTopology.cluster|physicalHostTopology.cluster"},
               {"block", "resourceStatus.physicalHostTopology.block|physicalHostTopology.block"},
               {"subblock",
                "resourceStatus.physicalHostTopology.subblock|physicalHostTopology.subblock"},
               {"machine", "resourceStatus.physicalHostTopology.host|physicalHostTopology.host"}}},
    {.marks = NULL},
};
