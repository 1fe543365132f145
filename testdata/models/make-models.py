#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write four-levels.json: the Hockney model of ../simgrid/four-levels, from its truth.

SMPI puts 16 bytes before every message: alpha = latency + 16 / bandwidth, beta = 1 / bandwidth.

usage: make-models.py [FOLDER]
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STEM = os.path.join(HERE, "..", "simgrid", "four-levels")
LEVELS = ["host", "cluster", "domain", "root"]  # from the leaves upwards


def read_ranks():
    with open(STEM + ".hosts") as file:
        return file.read().split()


def read_groups():
    """Per group: level, name, hosts in it, latency, bandwidth."""
    groups = {}
    with open(STEM + ".truth") as file:
        for line in file:
            if line.startswith("#"):
                continue
            level, name, a, b, latency, bandwidth = line.split()
            group = groups.setdefault((level, name), [set(), float(latency), float(bandwidth)])
            group[0] |= {a, b}
    return groups


def main():
    ranks, groups = read_ranks(), read_groups()
    first = {host: ranks.index(host) for host in ranks}
    # nodes: the ranks, then the groups from the lowest upwards by their smallest rank
    order = sorted(groups, key=lambda g: (LEVELS.index(g[0]), min(first[h] for h in groups[g][0])))
    node = {group: len(ranks) + i for i, group in enumerate(order)}

    def parent(hosts, above):
        """The smallest group of a level above that holds these hosts."""
        for level in LEVELS[above:]:
            for group in order:
                if group[0] == level and hosts <= groups[group][0]:
                    return node[group]
        return None

    model = {
        "format": "hitop-model", "version": 1, "model": "hockney", "convention": "one-way",
        "units": {"time": "s", "size": "B"}, "ranks": len(ranks),
        "tree": {
            "hosts": ranks,
            "parents": [parent({host}, 0) for host in ranks],
            "groups": [{"node": node[g], "level": g[0], "name": g[1] if g[0] != "root" else "",
                        "parent": parent(groups[g][0], LEVELS.index(g[0]) + 1)} for g in order],
        },
        "classes": [],
        "provenance": {"tool": "make-models.py", "transport": "simulated", "date": "", "seed": 0,
                       "confidence": 0},
    }
    for group in order:
        _, latency, bandwidth = groups[group]
        model["classes"].append({
            "node": node[group], "level": group[0], "name": group[1] if group[0] != "root" else "",
            "pair": None, "alpha": latency + 16 / bandwidth, "beta": 1 / bandwidth,
            "nsizes": 0, "nsamples": 0, "converged": False, "residual": 0.0})
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    with open(os.path.join(folder, "four-levels.json"), "w") as out:
        json.dump(model, out, indent=1)
        out.write("\n")


main()
