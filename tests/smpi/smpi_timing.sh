#!/bin/sh
# Collective operations on a simulated machine take as long as their messages.
set -eu
top=${srcdir:-.}
machine=$top/../testdata/simgrid/four-levels
sh "$top/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 32 ./smpi_timing "$machine.hosts" "$machine.truth"
