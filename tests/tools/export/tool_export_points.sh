#!/bin/sh
# export_tuning: what is known of the readers of its files, by the numbers that tool_check_tuning.sh has for the same facts;
# here those that only a writer can mind.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
top=${srcdir:-.}/..
tool=$bin/export_tuning
models=$top/testdata/models

write() { # write FILE MODEL ARGUMENT... ; also checks it for its version
    name=$1 model=$models/$2
    shift 2
    "$tool" -i "$model" "$@" -o "$dir/$name" || fail "$*"
}
for version in 4.1 5.0; do
    write "tuned-$version" two-sites/hockney.json --format openmpi-tuned --for $version --job 4x2 --job 3x1
done
for version in 4.1 5.0 6.0; do
    write "han-$version" two-sites/hockney.json --format openmpi-han --for $version --job 4x2
done
write json two-sites/hockney.json --format openmpi-tuned-json --for 6.0 --job 4x2 --job 3x1
for version in 4.0 4.1 4.2 4.3; do
    write "csel-$version" four-levels.json --format mpich-csel --for $version --job 4x1
done
write coords four-levels.json --format mpich-coords --for 4.2
write ucc two-sites/hockney.json --format ucc --for 1.3
write intel two-sites/hockney.json --format intel

python3 - "$dir" <<'END' || fail "a point of the list"
import json
import os
import re
import sys

folder = sys.argv[1]


def text(name):
    with open(os.path.join(folder, name)) as f:
        return f.read()


def classic(name):
    """Rules of coll/tuned: {collective: [(ranks, [(bytes, algorithm, fan-out, segment)])]}."""
    numbers = [int(n) for line in text(name).splitlines() for n in line.split("#")[0].split()]
    out, at = {}, 1
    for _ in range(numbers[0]):
        collective, nblocks = numbers[at : at + 2]
        at += 2
        blocks = []
        for _ in range(nblocks):
            ranks, n = numbers[at : at + 2]
            rules = [tuple(numbers[at + 2 + 4 * i : at + 6 + 4 * i]) for i in range(n)]
            blocks.append((ranks, rules))
            at += 2 + 4 * n
        out[collective] = blocks
    assert at == len(numbers)
    return out


def keys(tree, path=()):
    for key, value in tree.items():
        yield path, key, value
        yield from keys(value, path + (key,))


old = [classic("tuned-4.1"), classic("tuned-5.0")]
new = json.loads(text("json"))["collectives"]
rules = [r for blocks in new.values() for b in blocks for r in b["rules"]]
csel = {v: json.loads(text("csel-" + v)) for v in ("4.0", "4.1", "4.2", "4.3")}


def algorithms(rules_of, collective):
    return {r[1] for _, block in rules_of.get(collective, []) for r in block}


def point1():  # sparbit from 5.0 on
    assert 7 not in algorithms(old[0], 0) and 6 not in algorithms(old[0], 1)
    assert 8 not in algorithms(old[1], 0) | algorithms(old[1], 11)


def point2():  # numbers, not names
    assert rules and all(isinstance(r["alg"], int) for r in rules)


def point3():  # a radix for bruck
    for b in new.get("allgather", []):
        assert all(r["faninout"] >= 2 for r in b["rules"] if r["alg"] == 2)
    for b in new.get("reduce", []):
        assert all(r["faninout"] >= 2 for r in b["rules"] if r["alg"] == 8)


def point4():  # one rule for gather and scatter
    for o in old:
        assert all(len(block) == 1 for c in (9, 15) for _, block in o.get(c, []))
    assert all(len(b["rules"]) == 1 for c in ("gather", "scatter") for b in new.get(c, []))


def point5():  # one rule for alltoallv
    for o in old:
        assert all(len(block) == 1 for _, block in o.get(4, []))
    assert all(len(b["rules"]) == 1 for b in new.get("alltoallv", []))


def point6():  # no limit of ranks that is cut
    assert all(isinstance(b.get("comm_size_max", 0), int) for bs in new.values() for b in bs)


def point7():  # no collectives without algorithms
    assert not [c for c in new if c in ("gatherv", "scatterv", "alltoallw") or c.startswith("neighbor")]


def point8():  # the form that all versions of the series read
    for name in ("tuned-4.1", "tuned-5.0"):
        assert "rule-file-version" not in text(name)


def point9():  # parameters force no algorithm beside a file: see export-openmpi-params.conf
    pass


def point10():  # no algorithm 0, no rules for other ranks
    assert all(r["alg"] > 0 for r in rules)
    assert all(b["comm_size_min"] == b["comm_size_max"] for bs in new.values() for b in bs)


def point12():  # components and collectives of the version
    for version in ("4.1", "5.0", "6.0"):
        words = [w for line in text("han-" + version).splitlines() for w in line.split("#")[0].split()]
        assert not {"sm", "xhc", "smsc", "@"} & set(words)


def point13():  # properties of the collective
    for tree in csel.values():
        for path, key, _ in keys(tree):
            if key.startswith("avg_msg_size"):
                assert re.search(r"=i?(bcast|reduce|allreduce|alltoall)$", path[0])


def point14():  # no sizes in bytes for gather and scatter
    for tree in csel.values():
        for path, key, _ in keys(tree):
            if path and path[0] in ("collective=gather", "collective=scatter") and "comm_type=intra" in path:
                assert not key.startswith("total_msg_size<")


def point15():  # the end of a page
    assert all(os.path.getsize(os.path.join(folder, "csel-" + v)) % 4096 for v in csel)


def point16():  # a last member for all others
    for tree in csel.values():
        for path, key, value in keys(tree):
            if any("<" in k or k.endswith("=pow2") for k in value):
                assert list(value)[-1].endswith("=any"), (path, key)
        assert all(k.startswith("collective=") for k in tree)


def point17():  # only the hierarchy that all versions know
    for tree in csel.values():
        for _, key, _ in keys(tree):
            assert not key.startswith("comm_avg_ppn")
            assert key not in ("comm_hierarchy=node_roots", "comm_hierarchy=node", "comm_hierarchy=flat")


def point18():  # names of the version
    since = {"recexch_doubling": 2, "recexch_halving": 2, "recursive_multiplying": 3, "ccl": 9, "intra_tree": 1, "k_dissemination": 1}
    for version, tree in csel.items():
        for _, key, _ in keys(tree):
            for name, minor in since.items():
                assert not (key.startswith("algorithm=") and "_" + name in key.replace("MPIR_", "_")) or int(version[2:]) >= minor, key


def point19():  # a line for each rank
    lines = text("coords").splitlines()
    assert lines[0].startswith("#")
    assert sorted(int(l.split(":")[0]) for l in lines[1:]) == list(range(len(lines) - 1))


def point21():  # algorithms that all versions have
    for name in re.findall(r"@(\w+)", text("ucc").splitlines()[-1]):
        assert name in ("knomial", "sag_knomial", "sra_knomial", "ring", "neighbor", "bruck", "sparbit", "linear"), name


def point22():  # the path, and any size at the end
    for path, key, value in keys(json.loads(text("intel"))):
        if key.startswith("comm_id="):
            assert list(value)[-1] == "msg_size=-1" and [p.split("=")[0] for p in path] == ["coll", "ppn", "comm_size"]


for name, value in sorted(globals().items()):
    if name.startswith("point"):
        try:
            value()
        except AssertionError:
            print(name, file=sys.stderr)
            raise
END

# 9: nothing is forced beside a file
"$tool" -i "$models/two-sites/hockney.json" --format openmpi-params --for 5.0 --rules /a | grep -v '^#' >"$dir/params"
! grep '_algorithm' "$dir/params" || fail "point 9"
# 11 and 20: how to see that a file is in force; 22: what was not tried
page=$top/man/export_tuning.1.in
grep -q 'coll_tuned_verbose 1' "$page" || fail "point 11"
grep -q 'MPIR_CVAR_DEBUG_SUMMARY=1' "$page" || fail "point 20"
tr '\n' ' ' <"$page" | grep -q 'not tried with Intel MPI' || fail "point 22"
