#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write two-sites/MODEL.json: eight ranks on four hosts of two sites, in every formula, and points.csv.

The tree and the latencies and bandwidths of its links are those of a worked example of three levels; overheads,
protocol switches, standard errors, residuals and samples were invented. One class is not settled. The points are
measured times as hierarchical_model --points writes them, of echoes on two links and of replies on another.

usage: make-two-sites.py [FOLDER]
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HOSTS = ["alpha01.site1.org", "alpha02.site1.org", "betas01.site2.org", "betas02.site2.org"]
# level, name, parent, measured pair, latency in us, ns per byte
GROUPS = [
    ("host", HOSTS[0], 12, (0, 4), 1.0, 0.1), ("host", HOSTS[1], 12, (1, 5), 1.2, 0.11),
    ("host", HOSTS[2], 13, (2, 6), 0.8, 0.09), ("host", HOSTS[3], 13, (3, 7), 0.9, 0.095),
    ("cluster", "alpha", 14, (0, 1), 3.0, 0.4), ("cluster", "betas", 14, (2, 3), 2.5, 0.35),
    ("root", "", None, (0, 2), 60.0, 1.2),
]
RANKS = 8
SWITCH = 65536  # bytes from which on a message asks before it is sent


def us(value):
    return round(value * 1e-6, 15)


def ns(value):
    return round(value * 1e-9, 18)


def hockney(a, b):
    return {"alpha": us(a), "beta": ns(b)}, None


def loggp(a, b):
    return {"L": us(0.6 * a), "os": us(0.2 * a), "or": us(0.2 * a), "g": us(0.3 * a), "G": ns(b)}, None


def lmo(a, b):
    return {"L": us(0.4 * a), "beta": ns(0.8 * b)}, None


def lmo_inside(a, b):
    """In a host, where L and beta are all."""
    return {"L": us(1.25 * a), "beta": ns(0.9 * b)}, None


def lininterp(a, b):
    sizes = [0, 1024, 65536, 1048576]
    return {}, {"bytes": sizes, "time": [us(a + 1e-3 * b * m) for m in sizes]}


def piecewise(a, b):
    return {}, {"bytes": [0, SWITCH], "alpha": [us(a), us(2.5 * a)], "beta": [ns(b), ns(0.98 * b)]}


def plogp(a, b):
    sizes = [0, 1024, 65536, 1048576]
    return {"L": us(0.7 * a)}, {
        "bytes": sizes, "os": [us(0.2 * a + 2e-4 * b * m) for m in sizes],
        "or": [us(0.2 * a + 1e-4 * b * m) for m in sizes],
        "g": [us(0.3 * a + 1e-3 * b * m) for m in sizes]}


def class_of(model, node, index):
    level, name, _, pair, a, b = GROUPS[index]
    params, table = lmo_inside(a, b) if model is lmo and level == "host" else model(a, b)
    width = 0.01 * (1 + index)
    value = {"node": node, "level": level, "name": name, "pair": pair}
    value.update(params)
    if params:
        value["se"] = {p: v * width / 2 for p, v in params.items()}
        value["interval"] = {p: [v * (1 - width), v * (1 + 2 * width)] for p, v in params.items()}
    if table:
        value["table"] = table
    if model is loggp and index > 3:  # what was found out about the protocol
        value["eager_B"] = SWITCH - 1 if index < 6 else None
    value.update(nsizes=14, nsamples=280 + 100 * index, converged=index != 2,
                 residual=round(0.002 * (7 - index) ** 2, 6))
    return value


def processors():
    """Two kinds of hosts."""
    values = [("0-1,4-5", 0, 0.2, 0.02), ("2-3,6-7", 2, 0.15, 0.01)]
    return [{"ranks": ranks, "rank": rank, "C": us(c), "t": ns(t), "nsamples": 120, "converged": True}
            for ranks, rank, c, t in values]


def write(folder, name, model):
    first = RANKS
    value = {
        "format": "hitop-model", "version": 1, "model": name, "convention": "one-way",
        "units": {"time": "s", "size": "B"}, "ranks": RANKS,
        "tree": {
            "hosts": [HOSTS[r % 4] for r in range(RANKS)],
            "parents": [first + r % 4 for r in range(RANKS)],
            "groups": [{"node": first + i, "level": g[0], "name": g[1], "parent": g[2]}
                       for i, g in enumerate(GROUPS)]},
        "classes": [class_of(model, first + i, i) for i in range(len(GROUPS))],
        "provenance": {"tool": "make-two-sites.py", "command": "make-two-sites.py", "mpi_library": "none",
                       "transport": "invented", "date": "2026-11-21T00:00:00Z", "seed": 7,
                       "confidence": 0.95}}
    if name == "lmo":
        value["processors"] = processors()
        value["collective"] = {"S": 4096, "M1": 5120, "M2": SWITCH, "one2many_small_alpha": us(2.5)}
        value["quality"] = {
            "seconds": 1.5, "passes": 4, "ended_early": False, "latency": {"at_once": 4, "slowdown": 1.013},
            "bandwidth": {"at_once": 1, "slowdown": 1},
            "verification": {"tolerance": 0.2, "groups": [
                {"node": first + i, "level": GROUPS[i][0], "name": GROUPS[i][1], "pairs": pairs, "median": 0.012,
                 "q90": 0.031, "worst": worst, "holds": worst < 0.2} for i, pairs, worst in ((4, 2, 0.35), (6, 9, 0.04))]}}
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def point(index, what, size, time, width):
    level, name, _, pair, _, _ = GROUPS[index]
    return "%s,%s,%d,%d,%s,%d,%.9g,%.9g,%.9g,%d,%d\n" % (
        (level, name) + pair + (what, size, time, time * (1 - width), time * (1 + width), 20, width < 0.05))


def write_points(folder):
    sizes = [0, 1] + [4 ** k for k in range(2, 11)]
    with open(os.path.join(folder, "points.csv"), "w") as file:
        file.write("level,group,rank_i,rank_j,experiment,size_B,time_us,lo_us,hi_us,samples,converged\n")
        for index in (6, 4, 0):
            a, b = GROUPS[index][4:]
            for k, size in enumerate(sizes):
                switched = size >= SWITCH
                time = (2.5 if switched else 1) * a + (0.98 if switched else 1) * 1e-3 * b * size
                time *= 1 + 0.01 * ((7 * k + 3 * index) % 5 - 2)
                width = 0.02 + 0.01 * (k % 4)
                if index == 4:
                    file.write(point(index, "reply", size, time + a, width))
                    file.write(point(index, "send", size, 0.2 * a, width))
                else:
                    file.write(point(index, "echo", size, time, width))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "two-sites")
    for model in (hockney, lininterp, lmo, loggp, piecewise, plogp):
        write(folder, model.__name__, model)
    write_points(folder)


main()
