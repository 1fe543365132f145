# SPDX-License-Identifier: BSD-3-Clause
"""Compare the schema of benchmarks with files that were written, together with all names and words.
usage: benchmark_schema.py SCHEMA LIST FILE...; LIST is what --list prints"""
import sys

sys.dont_write_bytecode = True
from schema import Schema

schema = Schema(sys.argv[1])
check = schema.check
files = [schema.read(path) for path in sys.argv[3:]]

# the schema names the operations that exist
with open(sys.argv[2]) as f:
    listed = [line.split()[0] for line in f]
names = schema.text["definitions"]
check(sorted(names["curve"]["properties"]["operation"]["enum"]) == sorted(listed), "operations differ")

# orders that hold whatever was measured
for document in files:
    for curve in document["curves"]:
        sizes = [p["size_B"] for p in curve["points"]]
        check(sizes == sorted(set(sizes)), "sizes do not rise: %s" % sizes)
        for point in curve["points"]:
            t = point["time_us"]
            order = [t[k] for k in ("min", "q25", "median", "q75", "q90", "q99", "max")]
            check(order == sorted(order), "quantiles do not rise: %s" % order)
            if t["lo"] is not None:
                check(t["lo"] <= t["median"] <= t["hi"], "the interval misses the median")
            check(t["min"] <= t["mean"] <= t["max"], "the mean is outside")
            check(0 <= point["slowest_rank"] < curve["ranks"], "no such rank")
            check(point["wrong"] == 0, "wrong data")
            both = point["bandwidth_MBps"]
            if both:
                factor = {"pingpong": (1, 1), "pairs": (1, 1), "sendreceive": (1, 2), "exchange": (2, 4)}
                one = point["size_B"] / t["median"] * factor[curve["operation"]][0]
                two = point["size_B"] / t["median"] * factor[curve["operation"]][1]
                check(abs(both["one_way"] / one - 1) < 1e-6, "bandwidth one way")
                check(abs(both["both_ways"] / two - 1) < 1e-6, "bandwidth both ways")

schema.expect_strict(next(d for d in files if d["comparisons"]))
schema.end("%d files" % len(files))
