#!/bin/sh
# The size from which sends wait for the receiver is where linear scatter changes its ways.
set -eu
top=${srcdir:-.}
machine=$top/../testdata/simgrid/four-levels
SMPI_FLAGS='--cfg=smpi/async-small-thresh:17408 --cfg=smpi/send-is-detached-thresh:17408' \
    sh "$top/smpi-run.sh" "$machine.xml" "$machine.hosts" 8 ./smpi_thresholds 17408
