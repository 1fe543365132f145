#!/bin/sh
# Plans on simulated machines of 16, 64 and 128 ranks take the time that was predicted for them.
set -eu
simgrid=${srcdir:-.}/../testdata/simgrid
. "${srcdir:-.}/support/scratch.sh"

compare() { # compare MACHINE RANKS [TOLERANCE]
    echo "$2 ranks"
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/$1.xml" "$dir/$1.hosts" "$2" ./smpi_plans "$dir/$1.hosts" "$dir/$1.truth" ${3:-}
}

python3 "$simgrid/make-mesh.py" "$dir" 16
compare mesh 16
python3 "$simgrid/make-four-levels.py" "$dir" 8 2
compare four-levels 64
python3 "$simgrid/make-mesh.py" "$dir" 128
compare mesh 128

# Four ranks on each of 16 hosts share its cable. The prediction takes each end of a cable for itself, and envelopes do
# not count there.
python3 "$simgrid/make-star.py" "$dir" 16 0 4
compare star 64 0.01
