#!/usr/bin/env python3
"""Made-up results in the format hitop-benchmark, for tests of the report: synthetic.py >synthetic.json

No machine has these times. They follow formulas that the report should find again: a switch of protocol at 8 KiB,
a broadcast over a tree that becomes a scatter and an allgather beyond 64 KiB, a gather with a jump.
"""
import json
import math
import random

rng = random.Random(20161)
SIZES = [0] + [2**k for k in range(2, 21)]


def p2p(m):
    return 1.25 + 0.385e-3 * m if m <= 8192 else 6.5 + 0.0925e-3 * m


def depth(p):
    return math.ceil(math.log2(p))


OPERATIONS = {
    "pingpong": lambda m, p: p2p(m),
    "sendreceive": lambda m, p: 1.4 * p2p(m),
    "broadcast": lambda m, p: (1.6 + 0.31e-3 * m) * depth(p) if m <= 65536 else 38 + 0.42e-3 * m,
    "scatter": lambda m, p: 0.9 + 1.1 * math.log2(p) + 0.21e-3 * m * (p - 1),
    "gather": lambda m, p: (1.9 * math.log2(p) if m <= 4096 else 55) + 0.24e-3 * m * (p - 1),
    "alltoall": lambda m, p: (1.3 + 0.26e-3 * m) * (p - 1),
    "reduce": lambda m, p: (1.7 + 0.55e-3 * m) * depth(p),
    "barrier": lambda m, p: 0.35 + 2.175 * depth(p),
}
MESSAGES = {"pingpong": (1, 1), "sendreceive": (1, 2)}


def quantiles(truth):
    median = truth * math.exp(rng.gauss(0, 0.012))
    lo, hi = median * (1 - rng.uniform(0.008, 0.02)), median * (1 + rng.uniform(0.008, 0.02))
    most = median * rng.uniform(2, 40)
    return {k: float("%.6g" % v) for k, v in {
        "median": median, "lo": lo, "hi": hi, "min": median * 0.93, "q25": median * 0.97, "q75": median * 1.04,
        "q90": median * 1.11, "q99": median * 1.6, "max": most, "mean": median * 1.02 + 0.01 * most}.items()}


def point(operation, m, p, converged):
    t = quantiles(OPERATIONS[operation](m, p))
    ways = MESSAGES.get(operation) if m else None
    return {
        "size_B": m, "repetitions": 240, "batch": 1, "passes": 1, "rejected": rng.randrange(4), "discarded": 0,
        "state": "converged" if converged else "limit", "time_us": t,
        "ranks_us": {"min": float("%.6g" % (0.4 * t["mean"])), "mean": float("%.6g" % (0.7 * t["mean"])),
                     "max": t["mean"], "root": None}, "start_spread_us": 0.05,
        "slowest_rank": rng.randrange(p), "slowest_share": round(rng.uniform(1 / p, 0.9), 2),
        "bandwidth_MBps": ways and {"one_way": float("%.5g" % (m * ways[0] / t["median"])),
                                    "both_ways": float("%.5g" % (m * ways[1] / t["median"]))},
        "checked": True, "wrong": 0}


def curve(operation, p):
    rooted = operation in ("broadcast", "scatter", "gather", "reduce")
    sizes = [0] if operation == "barrier" else SIZES[1:] if operation == "reduce" else SIZES
    return {
        "operation": operation, "implementation": "mpi", "ranks": p, "hosts": max(1, p // 4),
        "root": "rotating" if rooted else None, "root_rank": None, "arrival": "together", "interval_us": 0, "cache": "hot",
        "timing": "round-trip" if operation == "pingpong" else "window", "line_hop_first_ns": None, "line_hop_last_ns": None,
        "type": "float" if operation == "reduce" else "byte",
        "points": [point(operation, m, p, m != 1048576) for m in sizes]}


def main():
    curves = [curve(o, p) for o in OPERATIONS for p in ((2,) if o == "pingpong" else (2, 4, 8))]
    comparisons = []
    for m in (8, 65536, 1048576):
        ratio = {8: 0.62, 65536: 0.91, 1048576: 1.005}[m]
        comparisons.append({
            "operation": "broadcast", "ranks": 8, "size_B": m, "a": "mpi", "b": "hitop", "ratio": ratio,
            "lo": round(ratio - 0.03, 3), "hi": round(ratio + 0.03, 3), "quads": 60,
            "verdict": "no difference shown" if m > 65536 else "faster"})
    print(json.dumps({
        "format": "hitop-benchmark", "version": 1,
        "provenance": {
            "tool": "testdata/benchmark/synthetic.py", "command": "synthetic.py: made up, measured on no machine",
            "mpi_library": "none, \"<made up>\"", "transport": "mpi", "cache": "hot", "timing": "window", "date": "", "seed": 20161,
            "confidence": 0.95, "ranks": 8, "hosts": "a1:4,a2:4", "binding": "bound", "clock_residual_us": 0.04,
            "line_hop_first_ns": None, "line_hop_last_ns": None, "line_hop_wanted_ns": None, "full_speed": False,
            "normalised_time_us": 0.954, "normalised_times": "a1:0.954,a2:0.954", "library": None},
        "warnings": ["these times are synthetic, made to test this report; no machine has them"],
        "noise_floor": 0.012, "curves": curves, "comparisons": comparisons}, separators=(",", ":")).replace('{"size_B"', '\n{"size_B"').replace('{"operation"', '\n{"operation"'))


main()
