# SPDX-License-Identifier: BSD-3-Clause
"""Times of benchmark_collective on a simulated mesh of wires, against what the wires say.
usage: benchmark_truth.py TRUTH CSV CASE; CASE is messages, flat, rotating, chain, all, barrier or late"""
import csv
import sys

wire = {}
with open(sys.argv[1]) as f:
    for line in f:
        word = line.split()
        if word[0] != "#":
            i, j = int(word[2][1:]), int(word[3][1:])
            wire[i, j] = wire[j, i] = float(word[4]), float(word[5])
RANKS = 1 + max(i for i, _ in wire)


def us(i, j, size):
    """A message on the wire; 16 bytes are its header."""
    latency, bandwidth = wire[i, j]
    return 1e6 * (latency + (size + 16) / bandwidth)


def flat(root, size):
    """All at once, each by a wire of its own."""
    return max(us(root, r, size) for r in range(RANKS) if r != root)


def around(size):
    return max(us(r, (r + 1) % RANKS, size) for r in range(RANKS))


def chain(size):
    return sum(us(r, r + 1, size) for r in range(RANKS - 1))


def to_all(size):
    return max(us(i, j, size) for i in range(RANKS) for j in range(i))


def dissemination():
    """Round after round each rank hears from the one 1, 2, 4 ... ahead; empty messages."""
    at, ahead = [0.0] * RANKS, 1
    while ahead < RANKS:
        at = [max(at[r], at[(r + ahead) % RANKS] + us(r, (r + ahead) % RANKS, 0)) for r in range(RANKS)]
        ahead *= 2
    return max(at)


half = RANKS // 2
cases = {
    "messages": {
        "pingpong": lambda size: [us(0, 1, size)],
        "pairs": lambda size: [max(us(r, r + half, size) for r in range(half))],
        "sendreceive": lambda size: [around(size)],
        "exchange": lambda size: [around(size)],
    },
    "flat": {name: lambda size: [flat(0, size)] for name in ("broadcast", "scatter", "gather", "reduce")},
    "rotating": {name: lambda size: [flat(r, size) for r in range(RANKS)]
                 for name in ("broadcast", "scatter", "gather", "reduce")},
    "chain": {"broadcast": lambda size: [chain(size)]},
    "all": {"alltoall": lambda size: [to_all(size)]},
    "barrier": {"barrier": lambda size: [dissemination()]},
    "late": {"broadcast": lambda size: [us(0, 1, size)]},
}[sys.argv[3]]

failures, seen = 0, set()
with open(sys.argv[2]) as f:
    for row in csv.DictReader(f):
        size = int(row["size_B"])
        want = cases[row["operation"]](size)
        seen.add(row["operation"])
        # every single call: none is warming up, none runs into the next one
        for column, expected in ("min_us", min(want)), ("max_us", max(want)):
            if abs(float(row[column]) / expected - 1) > 1e-4:
                print("FAIL: %s, %s, %d B: %s %s, not %.6f" %
                      (sys.argv[3], row["operation"], size, column, row[column], expected))
                failures += 1
        if row["rejected"] != "0" or (sys.argv[3] == "late") != (abs(float(row["start_spread_us"]) - 3000) < 1):
            print("FAIL: %s: rejected %s, starts %s us apart" %
                  (row["operation"], row["rejected"], row["start_spread_us"]))
            failures += 1
if seen != set(cases):
    print("FAIL: only %s" % seen)
    failures += 1
print("%s: %d operations, %d failures" % (sys.argv[3], len(seen), failures))
sys.exit(1 if failures else 0)
