# SPDX-License-Identifier: BSD-3-Clause
"""Compare the schema of benchmarks with files that were written, together with all names and words.
usage: benchmark_schema.py SCHEMA LIST FILE...; LIST is what --list prints"""
import copy
import json
import sys

import jsonschema

with open(sys.argv[1]) as f:
    schema = json.load(f)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failures = 0


def check(good, what):
    global failures
    if not good:
        print("FAIL: " + what)
        failures += 1


files = []
for path in sys.argv[3:]:
    with open(path) as f:
        files.append(json.load(f))
    check(validator.is_valid(files[-1]), "%s is not valid: %s" %
          (path, [e.message for e in validator.iter_errors(files[-1])][:3]))

# the schema names the operations that exist
with open(sys.argv[2]) as f:
    listed = [line.split()[0] for line in f]
names = schema["definitions"]
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

# every member is needed, and no other is allowed
first = next(d for d in files if d["comparisons"])
for where in ([], ["provenance"], ["curves", 0], ["curves", 0, "points", 0],
              ["curves", 0, "points", 0, "time_us"], ["curves", 0, "points", 0, "ranks_us"], ["comparisons", 0]):
    at = first
    for key in where:
        at = at[key]
    for change in list(at) + ["more"]:
        document = copy.deepcopy(first)
        at = document
        for key in where:
            at = at[key]
        if change == "more":
            at["more"] = 1
        else:
            del at[change]
        check(not validator.is_valid(document), "the schema accepts %s without or with %s" % (where, change))

print("%d files, %d failures" % (len(files), failures))
sys.exit(1 if failures else 0)
