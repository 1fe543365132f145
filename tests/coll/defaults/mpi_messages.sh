#!/bin/sh
# The messages of Open MPI's coll/tuned against the text on the library: of each algorithm, forced in turn, where the text
# says that our plan sends the same ones, and of what the library chooses by itself. Skipped with other MPI libraries, and
# where pml/monitoring is missing.
set -eu
export OMPI_MCA_pml=ob1,monitoring OMPI_MCA_pml_monitoring_enable=1
run() { # run RANKS MODE
    sh "${srcdir:-.}/support/mpi-run.sh" "$1" ./mpi_messages "$2"
}
for ranks in 2 3 5 8 11; do
    run $ranks decisions
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 run $ranks forced
done
run 16 decisions
