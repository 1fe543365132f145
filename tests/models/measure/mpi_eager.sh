#!/bin/sh
# Up to which size sends complete alone, twice in a row, to the byte. Open MPI sends as much as its limit allows, less
# 56 bytes of its own; MPICH over UCX all below the threshold that UCX is given, else what fits into a segment of
# shared memory. So what is found must follow those limits.
set -eu
. "${srcdir:-.}/support/scratch.sh"

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

launcher=${MPIRUN:-mpirun}
case $("$launcher" --version 2>/dev/null || true; mpichversion 2>/dev/null || true) in
*'(Open MPI) 4.'* | *'(OpenRTE) 4.'*)
    OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_eager_limit=4096
    export OMPI_MCA_btl OMPI_MCA_btl_vader_eager_limit
    expect 2 4040
    OMPI_MCA_btl_vader_eager_limit=8192
    expect 4 '8136 8136'
    OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
    export OMPI_MCA_btl_tcp_if_include
    expect 2 65480
    ;;
*'(Open MPI) 5.'*) # headers of 80 bytes
    OMPI_MCA_btl=self,sm OMPI_MCA_btl_sm_eager_limit=4096
    export OMPI_MCA_btl OMPI_MCA_btl_sm_eager_limit
    expect 2 4016
    OMPI_MCA_btl_sm_eager_limit=8192
    expect 4 '8112 8112'
    OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
    export OMPI_MCA_btl_tcp_if_include
    expect 2 65456
    ;;
*HYDRA*ch4:ucx*)
    run 2
    UCX_RNDV_THRESH=16384
    export UCX_RNDV_THRESH
    expect 2 16383
    ;;
*)
    run 2
    ;;
esac
