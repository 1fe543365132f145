#!/bin/sh
# Broadcasts of Fortran programs, which reach the preloaded library by other names than those of C.
set -eu
preload=$PWD/../coll/.libs/libhitop_coll.so
ran=no
for program in mpi_bcast_f mpi_bcast_f08; do
    [ -x ./$program ] || { echo "$program is not built: no Fortran MPI"; continue; }
    for layout in "2 8" "2 1"; do
        # shellcheck disable=SC2086 # two words
        set -- $layout
        HITOP_LAZY=0 HITOP_VNODE=$2 sh "${srcdir:-.}/support/mpi-run.sh" "$1" \
            env LD_PRELOAD="$preload" ./$program
    done
    ran=yes
done
[ $ran = yes ] || exit 77
