/* SPDX-License-Identifier: BSD-3-Clause */
/* cloud.c - a list of instances of a cloud, and the forms in which clouds describe them. */
#include <config.h>

#include "hierarchy/sources/cloud.h"

#include "src/grow.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names up to LONGEST are kept; of longer ones at least the last TAIL characters. */
enum { LONGEST = 48, TAIL = 8 };

struct cloud_instance *hitop_cloud_add(struct cloud *cloud)
{
    if (!HITOP_GROW(cloud->instance, cloud->n, cloud->max)) {
        return NULL;
    }
    cloud->instance[cloud->n] = (struct cloud_instance){.where = "", .id = ""};
    return &cloud->instance[cloud->n++];
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* List the long names, each once; returns their number. */
static int list_long_names(const struct cloud *cloud, const char **name)
{
    int n = 0, kept = 0;

    for (int i = 0; i < cloud->n; i++) {
        for (int k = 0; k < cloud->instance[i].nsteps; k++) {
            const char *text = cloud->instance[i].step[k].name;
            if (strlen(text) > LONGEST) {
                name[n++] = text;
            }
        }
    }
    qsort(name, (size_t)n, sizeof(*name), by_text);
    for (int i = 0; i < n; i++) {
        if (kept == 0 || strcmp(name[kept - 1], name[i]) != 0) {
            name[kept++] = name[i];
        }
    }
    return kept;
}

static const char *tail_of(const char *text, size_t length)
{
    const size_t n = strlen(text);

    return n > length ? text + n - length : text;
}

/* Number of last characters in which all names differ; SIZE_MAX: their whole length. */
static size_t find_tail(const char *const *name, int n, const char **room)
{
    for (size_t length = TAIL; length <= LONGEST - strlen("..."); length += TAIL / 2) {
        int differ = 1;

        for (int i = 0; i < n; i++) {
            room[i] = tail_of(name[i], length);
        }
        qsort(room, (size_t)n, sizeof(*room), by_text);
        for (int i = 1; i < n && differ; i++) {
            differ = strcmp(room[i - 1], room[i]) != 0;
        }
        if (differ) {
            return length;
        }
    }
    return SIZE_MAX;
}

int hitop_cloud_shorten(struct cloud *cloud)
{
    const size_t most = (size_t)cloud->n * CLOUD_STEPS + 1;
    const char **name = calloc(most, sizeof(*name)), **room = calloc(most, sizeof(*room));
    int is_good = name && room;
    const int n = is_good ? list_long_names(cloud, name) : 0;
    const size_t length = n > 0 ? find_tail(name, n, room) : SIZE_MAX;

    for (int i = 0; i < cloud->n && is_good && length < SIZE_MAX; i++) {
        for (int k = 0; k < cloud->instance[i].nsteps && is_good; k++) {
            const char **text = &cloud->instance[i].step[k].name;
            if (strlen(*text) > LONGEST) {
                char brief[LONGEST + 1] = "...";
                strncat(brief, tail_of(*text, length), LONGEST - strlen(brief));
                *text = hitop_text_pool_keep(&cloud->text, brief);
                is_good = *text != NULL;
            }
        }
    }
    free(room);
    free(name);
    return is_good;
}

const char hitop_cloud_part_level[] = "subdomain";

/* The part of a domain that contains an instance, or NULL. */
static const struct cloud_step *part_of(const struct cloud_instance *instance)
{
    const int last = instance->nsteps - 1;

    return last > 0 && instance->step[last].level == hitop_cloud_part_level ? &instance->step[last]
                                                                            : NULL;
}

/* By domain, which is the step around the part, then by part. */
static int by_part(const void *a, const void *b)
{
    const struct cloud_step *x = part_of(*(struct cloud_instance *const *)a),
                            *y = part_of(*(struct cloud_instance *const *)b);
    const int order = strcmp(x[-1].name, y[-1].name);

    return order ? order : strcmp(x->name, y->name);
}

int hitop_cloud_drop_lone_parts(struct cloud *cloud)
{
    struct cloud_instance **in = calloc((size_t)cloud->n + 1, sizeof(struct cloud_instance *));
    int n = 0;

    if (!in) {
        return 0;
    }
    for (int i = 0; i < cloud->n; i++) {
        if (part_of(&cloud->instance[i])) {
            in[n++] = &cloud->instance[i];
        }
    }
    if (n > 0) {
        qsort(in, (size_t)n, sizeof(struct cloud_instance *), by_part);
    }
    for (int first = 0, end; first < n; first = end) {
        const char *domain = part_of(in[first])[-1].name;

        for (end = first; end < n && strcmp(part_of(in[end])[-1].name, domain) == 0; end++) {
        }
        if (strcmp(part_of(in[first])->name, part_of(in[end - 1])->name) == 0) {
            for (int i = first; i < end; i++) {
                in[i]->nsteps--;
            }
        }
    }
    free(in);
    return 1;
}

void hitop_cloud_clear(struct cloud *cloud)
{
    hitop_text_pool_clear(&cloud->text);
    free(cloud->instance);
    *cloud = (struct cloud){0};
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
