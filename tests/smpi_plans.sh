#!/bin/sh
# Plans on simulated machines of 16, 64 and 128 ranks take the time that was predicted for them.
set -eu
simgrid=${srcdir:-.}/../testdata/simgrid
. "${srcdir:-.}/scratch.sh"

compare() { # compare MACHINE RANKS
    echo "$2 ranks"
    sh "${srcdir:-.}/smpi-run.sh" "$dir/$1.xml" "$dir/$1.hosts" "$2" ./smpi_plans "$dir/$1.hosts" "$dir/$1.truth"
}

python3 "$simgrid/make-mesh.py" "$dir" 16
compare mesh 16
python3 "$simgrid/make-four-levels.py" "$dir" 8 2
compare four-levels 64
python3 "$simgrid/make-mesh.py" "$dir" 128
compare mesh 128
