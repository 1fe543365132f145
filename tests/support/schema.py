# SPDX-License-Identifier: BSD-3-Clause
"""Files against a JSON schema: they are valid, need all that they have, and may have nothing else.
usage: schema.py SCHEMA FILE..."""
import copy
import json
import sys

import jsonschema


class Schema:
    """A schema, and what was found wrong with it or with files."""

    def __init__(self, path):
        with open(path) as f:
            self.text = json.load(f)
        jsonschema.Draft7Validator.check_schema(self.text)
        self.validator = jsonschema.Draft7Validator(self.text)
        self.failures = 0

    def check(self, good, what):
        if not good:
            print("FAIL: " + what)
            self.failures += 1

    def is_valid(self, document):
        return self.validator.is_valid(document)

    def expect_valid(self, document, name):
        self.check(self.is_valid(document), "%s is not valid: %s" %
                   (name, [e.message for e in self.validator.iter_errors(document)][:3]))

    def read(self, path):
        with open(path) as f:
            document = json.load(f)
        self.expect_valid(document, path)
        return document

    def expect_strict(self, document):
        """No object of the document may lack a member or have another; of those with the same members one is tried."""
        seen = set()
        for where, at in objects_of(document, ()):
            shape = (tuple(k for k in where if isinstance(k, str)), tuple(sorted(at)))
            if shape not in seen:
                seen.add(shape)
                self.expect_strict_at(document, where)

    def expect_strict_at(self, document, where):
        for change in sorted(member_at(document, where)) + ["more"]:
            at = changed = copy.deepcopy(document)
            at = member_at(changed, where)
            if change == "more":
                at["more"] = 1
            else:
                del at[change]
            self.check(not self.is_valid(changed), "the schema accepts %s without or with %s" % (list(where), change))

    def end(self, what):
        print("%s, %d failures" % (what, self.failures))
        sys.exit(1 if self.failures else 0)


def member_at(document, where):
    for key in where:
        document = document[key]
    return document


def objects_of(value, where):
    if isinstance(value, dict):
        yield where, value
        for key, member in value.items():
            yield from objects_of(member, where + (key,))
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from objects_of(member, where + (i,))


if __name__ == "__main__":
    schema = Schema(sys.argv[1])
    for path in sys.argv[2:]:
        schema.expect_strict(schema.read(path))
    schema.end("%d files" % (len(sys.argv) - 2))
