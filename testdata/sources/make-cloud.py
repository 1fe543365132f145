#!/usr/bin/env python3
"""Write cloud-*.json: made-up instances as clouds and their tools describe them.

usage: make-cloud.py [directory]
"""
import hashlib
import json
import os
import sys


def unique(what, length=17):
    """An id that looks drawn at random and is the same every time."""
    return hashlib.sha256(what.encode()).hexdigest()[:length]


def aws():
    """Two pages of the topology, then names. Node 7 has no topology; 16 is gone and its address free."""
    topology, instances = [], []
    for n in range(1, 17):
        spine, brick = (n - 1) // 8, (n - 1) // 4
        topology.append({
            "InstanceId": "i-" + unique(f"i{n}"), "InstanceType": "hpc7a.96xlarge", "GroupName": "cfd",
            "NetworkNodes": [] if n == 7 else ["nn-" + unique("top"), "nn-" + unique(f"spine{spine}"),
                                               "nn-" + unique(f"brick{brick}")],
            "ZoneId": "use2-az2", "AvailabilityZone": "us-east-2b"})
        name = f"ip-10-0-3-{20 + n}.us-east-2.compute.internal"
        instances.append({
            "InstanceId": topology[-1]["InstanceId"], "InstanceType": "hpc7a.96xlarge",
            "PrivateDnsName": "" if n == 16 else name, "PublicDnsName": "",
            "Placement": {"AvailabilityZone": "us-east-2b", "GroupName": "cfd", "Tenancy": "default"},
            "State": {"Code": 48 if n == 16 else 16, "Name": "terminated" if n == 16 else "running"},
            "Tags": [{"Key": "Name", "Value": "Compute"}]})
        if n != 16:
            instances[-1]["PrivateIpAddress"] = f"10.0.3.{20 + n}"
    return [{"Instances": topology[:10], "NextToken": "SGVsbG8K"}, {"Instances": topology[10:]},
            {"Reservations": [{"ReservationId": f"r-{unique(str(k))}", "Groups": [], "OwnerId": "123456789012",
                               "Instances": instances[8 * k:8 * k + 8]} for k in range(2)]}]


def gcp():
    """24 instances on 20 machines of three sub-blocks in two blocks; a login node without a topology."""
    zone = "https://www.googleapis.com/compute/v1/projects/weather/zones/us-central1-a"
    out = [{"kind": "compute#instance", "id": "7304928861", "name": "slurm-login-001", "zone": zone,
            "status": "RUNNING", "resourceStatus": {"scheduling": {}}}]
    for n in range(24):
        subblock = n // 8
        out.append({
            "kind": "compute#instance", "id": str(7304928862 + n), "name": f"h4d-{n:03d}", "zone": zone,
            "machineType": zone + "/machineTypes/h4d-highmem-192-lssd", "status": "RUNNING",
            "resourceStatus": {"physicalHostTopology": {
                "cluster": "europe-west4-cluster-jfhb", "block": unique(f"block{subblock // 2}", 32),
                "subblock": unique(f"subblock{subblock}", 32),
                "host": unique(f"machine{n // 2 if subblock == 0 else n}", 32)},
                "scheduling": {}}})
    return [out]


def ocid(kind, what):
    """The ids of one kind end alike, so that eight characters do not tell them apart."""
    return f"ocid1.{kind}.oc1.eu-frankfurt-1.antheljt" + unique(what, 44) + unique(kind, 8)


def oci_place(n):
    return ocid("hpcisland", "island"), ocid("networkblock", f"net{n // 8}"), ocid("localblock", f"local{n // 4}")


def oci():
    """Hosts by the command line, behind them instances. A host is free."""
    hosts, instances = [], []
    for n in range(17):
        island, network, local = oci_place(n)
        hosts.append({
            "availability-domain": "Uocm:EU-FRANKFURT-1-AD-2", "display-name": f"host-{unique(f'h{n}', 8)}",
            "fault-domain": f"FAULT-DOMAIN-{n % 3 + 1}", "gpu-memory-fabric-id": None, "hpc-island-id": island,
            "id": ocid("computebaremetalhost", f"host{n}"),
            "instance-id": ocid("instance", f"instance{n}") if n < 16 else None,
            "lifecycle-state": "OCCUPIED" if n < 16 else "AVAILABLE",
            "local-block-id": local, "network-block-id": network, "shape": "BM.HPC.E5.144"})
        instances.append({
            "availability-domain": "Uocm:EU-FRANKFURT-1-AD-2", "display-name": f"hpc-{n + 1}",
            "id": ocid("instance", f"instance{n}"), "lifecycle-state": "RUNNING", "shape": "BM.HPC.E5.144"})
    return [{"data": {"items": hosts}}, {"data": instances[:16]}]


def oci_told():
    """What hosts are told, two of them joined by more than the network."""
    lines = []
    for n in range(8):
        island, network, local = oci_place(2 * n)
        told = {"customerGpuMemoryFabric": ocid("computegpumemoryfabric", f"fabric{n // 2}") if n < 4 else "",
                "customerHPCIslandId": island, "customerLocalBlock": local, "customerNetworkBlock": network}
        lines.append(f"gpu-{n + 1}: {json.dumps(told)}")
    return lines


def azure_blocks():
    blocks = [[31, 52, 297, 319, 349, 62, 394, 122], [5, 17, 254, 12, 13, 14, 15, 16, 18]]
    return [[{"blockname": f"block{k + 3}", "size": len(block), "nodelist": [f"ccw-1-gpu-{n}" for n in block]}
             for k, block in enumerate(blocks)]]


def azure_vms():
    """Virtual machines: six in two proximity placement groups, one outside."""
    subscription = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/HPC/providers/"
    out = []
    for n in range(7):
        group = {"id": subscription + f"Microsoft.Compute/proximityPlacementGroups/near{n // 3 + 1}"}
        out.append({
            "id": subscription + f"Microsoft.Compute/virtualMachines/cfd-vm{n}", "name": f"cfd-vm{n}",
            "location": "westeurope", "osProfile": {"adminUsername": "hpc", "computerName": f"cfd{n}"},
            "proximityPlacementGroup": group if n < 6 else None, "vmId": unique(f"vm{n}", 32), "zones": None})
    return [out]


def azure_told():
    """What virtual machines are told of themselves: two placement groups of a scale set."""
    out = []
    for n in range(8):
        group = unique(f"group{n // 4}", 32)
        group = "-".join((group[:8], group[8:12], group[12:16], group[16:20], group[20:]))
        out.append({"compute": {
            "location": "westeurope", "name": f"hb_{n}", "osProfile": {"computerName": f"hbv4{n:06d}"},
            "placementGroupId": group, "platformFaultDomain": str(n % 5), "vmScaleSetName": "hb",
            "vmSize": "Standard_HB176rs_v4", "zone": "1"}, "network": {"interface": []}})
    return out


def topograph():
    """Three layers and domains of processors; one instance has no domain."""
    out = []
    for n in range(16):
        out.append({"id": f"gb{n + 1:02d}", "type": "GB200",
                    "network_layers": [f"leaf-{n // 8}", f"spine-{n // 8}", "core"],
                    "attributes": {} if n == 15 else {"nvlink": f"nvl-{n // 4}"}})
    return [{"instances": out}]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for make in aws, gcp, oci, oci_told, azure_blocks, azure_vms, azure_told, topograph:
        name = "cloud-" + make.__name__.replace("_", "-") + ".json"
        with open(os.path.join(folder, name), "w", encoding="ascii") as to:
            for document in make():
                to.write(document if isinstance(document, str) else json.dumps(document, indent=2))
                to.write("\n")


main()
