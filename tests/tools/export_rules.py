#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check a file of rules for coll/tuned of Open MPI against what its readers need.

usage: export_rules.py classic|json FILE RANKS... ; prints each rule: operation id or name, ranks, bytes, algorithm
"""
import json
import re
import sys

SINGLE = {4, 9, 15, "alltoallv", "gather", "scatter"}


def classic(text, jobs):
    numbers = iter(int(n) for n in re.findall(r"\d+", re.sub(r"#.*", "", text)))
    for _ in range(next(numbers)):
        operation = next(numbers)
        last = -1
        nblocks = next(numbers)
        for b in range(nblocks):
            ranks = next(numbers)
            assert ranks > last and (b > 0 or ranks == 0), "blocks ascend from 0"
            last = ranks
            nrules = next(numbers)
            assert nrules == 1 or operation not in SINGLE, "one rule for %s" % operation
            at = -1
            for r in range(nrules):
                size, algorithm, fanout, segment = (next(numbers) for _ in range(4))
                assert size > at and (r > 0 or size == 0), "sizes ascend from 0"
                at = size
                assert algorithm == 0 or ranks in jobs, "rules for jobs only"
                if algorithm:
                    print(operation, ranks, size, algorithm)
        assert ranks - 1 in jobs, "the last block is behind a job"
    assert next(numbers, None) is None, "nothing behind the rules"


def from_json(text, jobs):
    data = json.loads(text)
    for operation, blocks in data["collectives"].items():
        for block in blocks:
            assert block["comm_size_min"] == block["comm_size_max"] and block["comm_size_min"] in jobs
            assert len(block["rules"]) == 1 or operation not in SINGLE
            last = -1
            for rule in block["rules"]:
                low, high = rule.get("msg_size_min", 0), rule.get("msg_size_max", 2**62)
                assert last < low <= high, "ranges ascend"
                last = high
                assert isinstance(rule["alg"], int) and rule["alg"] > 0
                if operation == "allgather" and rule["alg"] == 2:
                    assert rule["faninout"] >= 2, "bruck with a radix"
                print(operation, block["comm_size_min"], low, rule["alg"])


with open(sys.argv[2]) as f:
    (classic if sys.argv[1] == "classic" else from_json)(f.read(), [int(n) for n in sys.argv[3:]])
