/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cloud_form.c - the forms in which clouds describe an instance.
 *
 * Sources: Amazon EC2 API Reference: InstanceTopology, Instance. Compute Engine API: Instance,
 * ResourceStatusPhysicalHostTopology. Oracle Cloud Infrastructure Core Services API:
 * ComputeHostSummary, ComputeBareMetalHostSummary, Instance; its instance metadata:
 * rdmaTopologyData. Azure: instance metadata service, Virtual Machines REST API, "azslurm
 * show_topology" of CycleCloud. NVIDIA topograph: engine graph, whose versions before 1.0 write
 * attributes.nvlink, the later ones labels (pkg/topology/graph.go); engine k8s.
 */
#include <config.h>

#include "hierarchy/sources/cloud_form.h"

#include <stddef.h>

const struct cloud_form cloud_forms[] = {
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
    /* Oracle: hosts, or what an instance is told about its host */
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
    /* Azure: blocks of CycleCloud; what an instance is told about itself; virtual machines */
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
