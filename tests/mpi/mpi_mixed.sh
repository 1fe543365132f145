#!/bin/sh
# Ranks that describe one message by different datatypes: right under the preloaded library; what MPI makes
# of it alone is printed for information.
set -eu
. "${srcdir:-.}/support/mpi-facts.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
run=${srcdir:-.}/support/mpi-run.sh
case $mpi_yields in
no) sizes="2 3" ;;
*) sizes="2 17" ;;
esac
for n in $sizes; do
    echo "with libhitop_coll.so:"
    HITOP_LAZY=0 sh "$run" "$n" env LD_PRELOAD="$preload" ./mpi_mixed
    HITOP_LAZY=0 HITOP_VNODE=4 sh "$run" "$n" env LD_PRELOAD="$preload" ./mpi_mixed
done
echo "MPI alone:"
MPI_WALL=2 sh "$run" "${sizes#* }" ./mpi_mixed 2>/dev/null || echo "exit status $?"
