#!/bin/sh
# Wrong clocks of 32 ranks on 16 simulated hosts are found out to their step.
set -eu
top=${srcdir:-.}
machine=$top/../testdata/simgrid/four-levels
sh "$top/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 32 ./smpi_clock
