# SPDX-License-Identifier: BSD-3-Clause
"""Compare the schema of model files with their writer and reader. usage: model_schema.py SCHEMA CAT"""
import copy
import json
import subprocess
import sys

sys.dont_write_bytecode = True
from schema import Schema

schema_path, cat = sys.argv[1:]
checked = Schema(schema_path)
schema, validator, check = checked.text, checked.validator, checked.check


def read(document):
    """What the reader says: (accepted, output or message)."""
    run = subprocess.run([cat, "-"], input=json.dumps(document), capture_output=True, text=True)
    return run.returncode == 0, run.stdout if run.returncode == 0 else run.stderr.strip()


def changed(document, path, value):
    """A copy with one member replaced, or removed where value is REMOVE."""
    result = copy.deepcopy(document)
    at = result
    for key in path[:-1]:
        at = at[key]
    if value is REMOVE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return result


REMOVE = object()
# the writer is valid, and reading its file gives the same bytes
full_class, full_table, full_model, full_processor, full_collective = {}, set(), set(), set(), set()
for model in reversed(schema["properties"]["model"]["enum"]):
    written = subprocess.run([cat, "--" + model], capture_output=True, text=True, check=True).stdout
    example = json.loads(written)
    checked.expect_valid(example, "the example of " + model)
    check(read(example) == (True, written), model + ": reading and writing changes the file")
    full_class.update(max(example["classes"], key=len))
    full_table.update(example["classes"][0].get("table", {}))
    full_model.update(example)
    full_processor.update(*example.get("processors", []))
    full_collective.update(example.get("collective", {}))

# every name of the schema is written, and no other (unknown names are refused by validity)
names = schema["definitions"]
check(set(schema["properties"]) == full_model, "members of a model differ")
check(set(names["processor"]["properties"]) == full_processor, "members of processors differ")
check(set(names["collective"]["properties"]) == full_collective, "members of collectives differ")
check(set(names["class"]["properties"]) == set(full_class), "members of a class differ")
check(set(names["class"]["properties"]["table"]["properties"]) == full_table,
      "columns of tables differ")
check(set(names["group"]["properties"]) == set(example["tree"]["groups"][-1]),
      "members of a group differ")
check(set(names["quality"]["properties"]) == set(example["quality"]), "members of quality differ")
check(set(names["verified"]["properties"]) == set(example["quality"]["verification"]["groups"][0]),
      "members of verified groups differ")
check(set(names["provenance"]["properties"]) == set(example["provenance"]),
      "members of provenance differ")

# the schema names the models that exist
accepted, message = read(changed(example, ["model"], "no such model"))
check(not accepted and message.split("valid: ")[1].split(", ") == schema["properties"]["model"]["enum"],
      "models differ: " + message)

# one thing wrong at a time: both refuse, and the reader names the place
wrong = [
    (["format"], "hitop"), (["version"], 2), (["version"], "1"), (["model"], 1), (["convention"], "round-trip"),
    (["units", "time"], "us"), (["ranks"], 0), (["ranks"], 7.5), (["ranks"], REMOVE),
    (["extra"], 1), (["tree"], []), (["tree", "hosts"], []), (["tree", "hosts", 3], 5),
    (["tree", "parents", 2], -1), (["tree", "parents"], REMOVE), (["tree", "groups", 2, "level"], None),
    (["tree", "groups", 1, "parent"], "x"), (["tree", "groups", 6, "attributes", "zone"], 1),
    (["classes"], {}), (["classes", 0], 3), (["classes", 2, "alpha"], -1e-9),
    (["classes", 2, "alpha"], 1e4), (["classes", 2, "alpha"], REMOVE), (["classes", 2, "beta"], "fast"),
    (["classes", 2, "beta"], True), (["classes", 0, "gamma"], 1), (["classes", 0, "pair"], [0]),
    (["classes", 0, "pair"], [0, 1.5]), (["classes", 0, "nsizes"], REMOVE), (["classes", 0, "converged"], REMOVE), (["classes", 4, "se", "alpha"], -1),
    (["classes", 4, "se", "beta"], REMOVE), (["classes", 4, "se", "x"], 1),
    (["classes", 4, "interval", "beta"], [1]), (["classes", 0, "converged"], 1),
    (["classes", 0, "table"], {"bytes": [0]}), (["classes", 0, "L"], 5), (["classes", 4, "between"], [8]),
    (["classes", 4, "between", 1], "x"), (["classes", 4, "between"], None), (["classes", 4, "times"], []), (["classes", 4, "times", "time"], REMOVE),
    (["classes", 4, "times", "bytes", 0], -1), (["classes", 4, "times", "bytes", 0], 0.5), (["classes", 4, "times", "lo", 1], -1e-9),
    (["classes", 4, "times", "hi", 1], None), (["classes", 4, "times", "se"], []), (["classes", 4, "date"], 2026), (["classes", 0, "nsizes"], -1), (["classes", 0, "residual"], None), (["classes", 4, "eager_B"], -1),
    (["classes", 4, "eager_B"], 4040.5), (["classes", 4, "eager_B"], "4040"), (["classes", 1, "eager_B"], False), (["classes", 4, "synchronous_B"], -1),
    (["classes", 4, "synchronous_B"], None), (["classes", 4, "pairs"], []), (["classes", 4, "pairs"], REMOVE), (["classes", 4, "pairs", 0], [4]),
    (["classes", 4, "pairs", 1], [0, -1]), (["classes", 4, "unlike"], -1), (["classes", 4, "unlike"], REMOVE), (["classes", 4, "spread"], REMOVE), (["classes", 4, "spread"], -0.1),
    (["classes", 0, "unlike"], 0), (["classes", 0, "spread"], 0.5), (["classes", 4, "synchronous_B"], 4096.5), (["provenance", "seed"], -4),
    (["quality"], []), (["quality", "seconds"], -1), (["quality", "passes"], 1.5), (["quality", "ended_early"], 0),
    (["quality", "latency"], REMOVE), (["quality", "latency", "at_once"], -1), (["quality", "bandwidth", "slowdown"], 0.9),
    (["quality", "bandwidth", "slowdown"], REMOVE), (["quality", "latency", "links"], 1), (["quality", "links"], 1),
    (["quality", "verification"], None), (["quality", "verification", "tolerance"], 0),
    (["quality", "verification", "groups"], []), (["quality", "verification", "groups"], REMOVE),
    (["quality", "verification", "groups", 0], 5), (["quality", "verification", "groups", 0, "pairs"], 0),
    (["quality", "verification", "groups", 0, "q90"], "x"), (["quality", "verification", "groups", 0, "worst"], -0.1),
    (["quality", "verification", "groups", 1, "holds"], REMOVE), (["quality", "verification", "groups", 1, "node"], REMOVE),
    (["quality", "verification", "groups", 1, "rank"], 1),
    (["provenance", "confidence"], 2), (["provenance", "host"], "x"), (["provenance", "tool"], 5),
]
for path, value in wrong:
    document = changed(example, path, value)
    shown = "%s = %s" % (path, "nothing" if value is REMOVE else json.dumps(value))
    accepted, message = read(document)
    check(not validator.is_valid(document), "the schema accepts " + shown)
    check(not accepted, "the reader accepts " + shown)
    check(accepted or message.startswith("standard input: $"), "%s: %s" % (shown, message))

# what a person need not write
least = copy.deepcopy(example)
for path in [["convention"], ["units"], ["quality"], ["provenance"]]:
    least = changed(least, path, REMOVE)
for group in least["tree"]["groups"]:
    for key in ["node", "level", "name"]:
        del group[key]
del least["tree"]["groups"][-1]["parent"]
least["classes"] = [{key: c[key] for key in ["node", "alpha", "beta", "between"] if key in c} for c in least["classes"]]
checked.expect_valid(least, "the least that a model needs")
accepted, message = read(least)
check(accepted, "the reader refuses the least that a model needs: " + message)
if accepted:
    checked.expect_valid(json.loads(message), "the least that a model needs, written again")
    check(read(json.loads(message)) == (True, message), "writing the least that a model needs changes it")

# the same for tables, and for parameters that only another model has
other = json.loads(subprocess.run([cat, "--plogp"], capture_output=True, text=True).stdout)
wrong_tables = [
    (["classes", 1, "table"], REMOVE), (["classes", 1, "table"], []), (["classes", 1, "L"], -1),
    (["classes", 1, "L"], REMOVE), (["classes", 4, "se", "L"], REMOVE), (["model"], "hockney"),
    (["classes", 2, "table", "g"], REMOVE), (["classes", 2, "table", "g", 1], -1e-9),
    (["classes", 2, "table", "g", 1], "x"), (["classes", 2, "table", "bytes"], []),
    (["classes", 2, "table", "time"], [0, 1, 2]), (["classes", 2, "alpha"], 1e-6),
]
for path, value in wrong_tables:
    document = changed(other, path, value)
    check(not validator.is_valid(document), "the schema accepts plogp with %s" % path)
    check(not read(document)[0], "the reader accepts plogp with %s" % path)

# what a schema cannot say
for path, value, reason in [
    (["classes", 2, "table", "g"], [1e-6], "must have 3"),
    (["classes", 2, "table", "bytes"], [0, 1000, 1000], "does not ascend"),
    (["classes", 4, "between"], [8, 8], "8 twice"), (["classes", 4, "unlike"], 3, "3 is outside"), (["classes", 4, "pairs", 0], [4, 4], "4 twice"),
    (["classes", 4, "pairs", 0], [0, 4], "is no link of node 12"), (["classes", 4, "between"], [8, 10], "not a member"),
    (["classes", 4, "times", "bytes", 1], 0, "do not ascend"), (["classes", 4, "times", "hi"], [1], "has 1 items, must have 2"),
    (["classes", 4, "times", "hi", 0], 1e-9, "which is not within"),
    (["quality", "verification", "groups", 1, "node"], 12, "must be 'site1.org'"),
    (["quality", "verification", "groups", 1, "node"], 15, "outside"), (["quality", "verification", "groups", 1], example["quality"]["verification"]["groups"][0], "must ascend"),
    (["classes", 4, "between"], [0, 4], "not a member"), (["classes", 4, "pair"], [0, 4], "do not meet"),
]:
    accepted, message = read(changed(other, path, value))
    check(not accepted and reason in message, "%s = %s: %s" % (path, value, message))

# a latency below 0 is one of loggp only
other = json.loads(subprocess.run([cat, "--loggp"], capture_output=True, text=True).stdout)
negative = changed(other, ["classes", 1, "L"], -1e-6)
check(validator.is_valid(negative) and read(negative)[0], "loggp needs a latency that is not negative")
check(not validator.is_valid(changed(other, ["classes", 1, "L"], -1001)), "the schema accepts L = -1001")
check(not read(changed(other, ["classes", 1, "L"], -1001))[0], "the reader accepts L = -1001")

# the same for processors
other = json.loads(subprocess.run([cat, "--lmo"], capture_output=True, text=True).stdout)
wrong_processors = [
    (["processors"], []), (["processors", 0], 1), (["processors", 0, "ranks"], REMOVE),
    (["processors", 0, "ranks"], 5), (["processors", 0, "ranks"], ""), (["processors", 0, "C"], -1),
    (["processors", 0, "t"], REMOVE), (["processors", 0, "L"], 1), (["processors", 0, "rank"], "x"),
    (["processors", 0, "se", "t"], REMOVE), (["processors", 0, "interval", "t"], [1]), (["processors", 0, "date"], None), (["model"], "hockney"),
    (["collective"], []), (["collective", "S"], -1), (["collective", "M1"], "x"), (["collective", "M3"], 1),
    (["collective", "one2many_small_beta"], 1.5), (["collective", "M2"], None),
]
check(validator.is_valid(changed(other, ["processors"], REMOVE)) and read(changed(other, ["processors"], REMOVE))[0],
      "lmo needs processors")
for path, value in wrong_processors:
    document = changed(other, path, value)
    check(not validator.is_valid(document), "the schema accepts lmo with %s" % path)
    check(not read(document)[0], "the reader accepts lmo with %s" % path)
for path, value, reason in [
    (["processors", 1, "ranks"], "1", "rank 3 belongs to no class"), (["processors", 1, "ranks"], "1,2,3", "also in class"),
    (["processors", 1, "ranks"], "1,3,9", "outside"), (["processors", 1, "ranks"], "1-x", "1-x"),
]:
    accepted, message = read(changed(other, path, value))
    check(not accepted and reason in message, "%s = %s: %s" % (path, value, message))

checked.end("%d wrong documents" % (len(wrong) + len(wrong_tables) + len(wrong_processors)))
