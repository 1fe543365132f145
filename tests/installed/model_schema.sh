#!/bin/sh
# Model files and doc/model.schema.json must describe one format: what the writer writes is valid, the
# names agree, and what the schema refuses the reader refuses too.
set -eu

if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "skipped: no python3 module jsonschema"
    exit 77
fi
if [ ! -x ./model_cat ]; then
    echo "skipped: model_cat is built only where Check is installed"
    exit 77
fi
exec python3 "${srcdir:-.}/support/model_schema.py" "${srcdir:-.}/../doc/model.schema.json" ./model_cat
