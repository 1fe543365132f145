#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write twin.dot and FORMULA.json: eleven ranks on six hosts in three levels of groups, in each formula.

The tree is uneven: two clusters of a site, with three hosts and two, and a host beside the site; hosts have one to
three ranks. All numbers were invented.

usage: make-twin.py FOLDER
"""
import json
import os
import sys

HOSTS = {"a1": 3, "a2": 2, "a3": 1, "b1": 2, "b2": 1, "c1": 2}  # ranks
# level, name, members, latency in us, ns per byte
GROUPS = [
    ("host", "a1", range(0, 3), 0.61, 0.11), ("host", "a2", range(3, 5), 0.72, 0.13),
    ("host", "a3", range(5, 6), 0, 0), ("host", "b1", range(6, 8), 0.53, 0.09),
    ("host", "b2", range(8, 9), 0, 0), ("host", "c1", range(9, 11), 0.92, 0.17),
    ("cluster", "a", (11, 12, 13), 3.1, 0.41), ("cluster", "b", (14, 15), 2.3, 0.83),
    ("site", "s", (17, 18), 47.0, 1.25), ("root", "", (16, 19), 4830.0, 10.7),
]
RANKS = sum(HOSTS.values())
SIZES = [0, 1024, 16384, 65536, 262144, 1048576]


def us(value):
    return round(value * 1e-6, 15)


def ns(value):
    return round(value * 1e-9, 18)


def hockney(a, b):
    return {"alpha": us(a), "beta": ns(b)}, None


def loggp(a, b):
    return {"L": us(0.6 * a), "os": us(0.2 * a), "or": us(0.2 * a), "g": us(0.3 * a), "G": ns(b)}, None


def piecewise(a, b):
    """From 64 KiB on a handshake takes as long again, and bytes are faster."""
    return {}, {"bytes": [0, 65536], "alpha": [us(a), us(2 * a)], "beta": [ns(b), ns(0.9 * b)]}


def plogp(a, b):
    """Bytes of long messages take half as long."""
    g = [us(0.3 * a + 1e-3 * b * (min(m, 65536) + 0.5 * max(0, m - 65536))) for m in SIZES]
    return {"L": us(0.7 * a)}, {"bytes": SIZES, "os": [us(0.2 * a)] * len(SIZES), "or": [us(0.2 * a)] * len(SIZES), "g": g}


def lininterp(a, b):
    g = plogp(a, b)
    return {}, {"bytes": SIZES, "time": [round(g[0]["L"] + t, 15) for t in g[1]["g"]]}


def class_of(model, node, index):
    level, name, members, a, b = GROUPS[index]
    params, table = model(a, b)
    value = {"node": node, "level": level, "name": name, "pair": None}
    value.update(params)
    if table:
        value["table"] = table
    value.update(nsizes=0, nsamples=0, converged=True, residual=0)
    return value


def write_model(folder, model):
    parents = {}
    for i, group in enumerate(GROUPS):
        parents.update({member: RANKS + i for member in group[2]})
    value = {
        "format": "hitop-model", "version": 1, "model": model.__name__, "convention": "one-way",
        "units": {"time": "s", "size": "B"}, "ranks": RANKS,
        "tree": {
            "hosts": [host for host, n in HOSTS.items() for _ in range(n)],
            "parents": [parents[rank] for rank in range(RANKS)],
            "groups": [{"node": RANKS + i, "level": g[0], "name": g[1], "parent": parents.get(RANKS + i)}
                       for i, g in enumerate(GROUPS)]},
        "classes": [class_of(model, RANKS + i, i) for i, g in enumerate(GROUPS) if len(g[2]) > 1],
        "provenance": {"tool": "make-twin.py", "command": "make-twin.py"}}
    with open(os.path.join(folder, model.__name__ + ".json"), "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def write_dot(folder):
    with open(os.path.join(folder, "twin.dot"), "w") as file:
        file.write("digraph {\n")
        for i, (level, name, members, _, _) in enumerate(GROUPS):
            file.write('g%d [type=1, level="%s", name="%s"];\n' % (RANKS + i, level, name))
            if level == "host":
                file.write('r%d [type=0, model_data="%s", rank="%d-%d"]; r%d->g%d;\n'
                           % (i, name, members[0], members[-1], i, RANKS + i))
            else:
                file.writelines("g%d->g%d;\n" % (member, RANKS + i) for member in members)
        file.write("}\n")


def main():
    for model in (hockney, lininterp, loggp, piecewise, plogp):
        write_model(sys.argv[1], model)
    write_dot(sys.argv[1])


main()
