#!/bin/sh
# Up to which size sends complete alone, twice in a row, to the byte. Open MPI sends as much as its limit allows, less
# a header; MPICH over UCX all below the threshold that UCX is given, else what fits into a segment of
# shared memory. So what is found must follow those limits.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"

run() { # run RANKS: sizes, one line for each search
    sh "${srcdir:-.}/support/mpi-run.sh" "$1" ./mpi_eager >"$dir/out"
    cat "$dir/out"
    [ "$(wc -l <"$dir/out")" = 2 ]
    [ "$(uniq "$dir/out" | wc -l)" = 1 ] || fail "another size the second time"
}

expect() { # expect RANKS SIZES
    run "$1"
    [ "$(head -n 1 "$dir/out")" = "$2" ] || fail "expected $2"
}

case $mpi_family-$(mpichversion 2>/dev/null || true) in
openmpi*)
    export OMPI_MCA_btl="self,$mpi_sm" "OMPI_MCA_btl_${mpi_sm}_eager_limit=4096"
    expect 2 $((4096 - mpi_header))
    export "OMPI_MCA_btl_${mpi_sm}_eager_limit=8192"
    expect 4 "$((8192 - mpi_header)) $((8192 - mpi_header))"
    export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
    expect 2 $((65536 - mpi_header))
    ;;
mpich*ch4:ucx*)
    run 2
    UCX_RNDV_THRESH=16384
    export UCX_RNDV_THRESH
    expect 2 16383
    ;;
*)
    run 2
    ;;
esac
