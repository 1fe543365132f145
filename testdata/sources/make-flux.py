#!/usr/bin/env python3
"""Write flux-graph.json: a resource set of Flux with a graph of the scheduler fluxion, two racks of two chassis.

usage: make-flux.py [directory]
"""
import json
import os
import sys


def vertex(nodes, edges, parent, kind, name, **more):
    path = (parent["metadata"]["paths"]["containment"] if parent else "") + "/" + name
    node = {"id": str(len(nodes)), "metadata": {"type": kind, "basename": kind, "name": name, **more,
                                                "paths": {"containment": path}}}
    if parent:
        edges.append({"source": parent["id"], "target": node["id"]})
    nodes.append(node)
    return node


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    nodes, edges, rank = [], [], 0
    cluster = vertex(nodes, edges, None, "cluster", "tuna0")
    for r in range(2):
        rack = vertex(nodes, edges, cluster, "rack", "rack%d" % r)
        for c in range(2):
            chassis = vertex(nodes, edges, rack, "chassis", "chassis%d" % c)
            for _ in range(2):
                node = vertex(nodes, edges, chassis, "node", "tuna%d" % (11 + rank), rank=rank)
                vertex(nodes, edges, node, "core", "core0", rank=rank)
                vertex(nodes, edges, node, "core", "core1", rank=rank, size=1)
                rank += 1
    ssd = vertex(nodes, edges, cluster, "ssd", "ssd0")
    nodes.append({"id": str(len(nodes)), "metadata": {"type": "pdu", "name": "pdu0",
                                                      "paths": {"power": "/pdu0"}}})
    document = {"version": 1,
                "execution": {"R_lite": [{"rank": "0-7", "children": {"core": "0-1"}}], "starttime": 0.0,
                              "expiration": 0.0, "nodelist": ["tuna[11-18]"]},
                "scheduling": {"graph": {"nodes": nodes[::-1], "edges": edges}}}
    del ssd["metadata"]["name"]
    with open(os.path.join(folder, "flux-graph.json"), "w", encoding="ascii") as to:
        json.dump(document, to, indent=1)
        to.write("\n")
    with open(os.path.join(folder, "flux-graph-alone.json"), "w", encoding="ascii") as to:
        json.dump({"graph": {"nodes": sorted(nodes, key=lambda n: n["metadata"]["type"]), "edges": edges}}, to)
        to.write("\n")


main()
