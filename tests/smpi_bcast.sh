#!/bin/sh
# Broadcasts on a simulated machine take the time that was predicted for their plans.
set -eu
top=${srcdir:-.}
machine=$top/../testdata/simgrid/four-levels
sh "$top/smpi-run.sh" "$machine.xml" "$machine.hosts" 32 ./smpi_bcast "$machine.hosts" "$machine.truth"
