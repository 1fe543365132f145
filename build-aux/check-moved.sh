#!/usr/bin/env bash
# Check an installation in a folder that is moved: tools, hitop-run, pkg-config and the modulefile must
# find what they need.
# usage: build-aux/check-moved.sh PREFIX    where make install put it; moved to PREFIX.moved and back
#
# 0: all is found, 1: something is not, 2: usage.
set -euo pipefail
[ $# -eq 1 ] && [ -x "$1/bin/hitop-run" ] || { echo "usage: check-moved.sh PREFIX, where Hitop is installed" >&2; exit 2; }
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
prefix=$(cd "$1" && pwd)
moved=$prefix.moved
unset LD_LIBRARY_PATH LD_PRELOAD PKG_CONFIG_PATH
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
mv "$prefix" "$moved"
trap 'mv "$moved" "$prefix"; rm -rf "$scratch"' EXIT

fail() {
    echo "check-moved.sh: $*" >&2
    exit 1
}

tools_and_libraries() { # each finds the libraries of this folder, by nothing but itself
    local file
    for file in "$moved"/bin/* "$moved"/lib*/libhitop*.so; do
        file -L "$file" 2>/dev/null | grep -q ELF || [ "${file##*.}" = so ] || continue
        ! ldd "$file" | grep -E 'not found|libcgraph' || fail "$file: libraries"
        ! ldd "$file" | grep hitop | grep -vF "=> $moved/" || fail "$file: libraries elsewhere"
    done
    "$moved/bin/predict_collective" -i "$top/testdata/models/two-sites/hockney.json" -O bcast --sizes 64k >"$scratch/out" ||
        fail "predict_collective"
    grep -q binomial "$scratch/out" || fail "predict_collective"
}

programs() { # those that are compiled against it, and those that hitop-run starts, also by a link to it
    local flags mpicc
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$moved" -name hitop_mpi.pc)")
    mpicc=$(pkg-config --variable=mpicc hitop_mpi)
    read -ra flags <<<"$(pkg-config --cflags --libs hitop_mpi)"
    "$mpicc" -o "$scratch/model_bcast" "$top/examples/model_bcast.c" "${flags[@]}" || fail "a program does not compile"
    "$mpicc" -o "$scratch/asp" "$top/examples/asp.c" || fail "a program does not compile"
    ln -s "$moved/bin/hitop-run" "$scratch/run"
    "$scratch/run" --verbose -n 2 "$scratch/asp" >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail "hitop-run"; }
    grep -q 'communicator of 2 ranks: ready' "$scratch/out" || { cat "$scratch/out"; fail "hitop-run serves nothing"; }
}

modulefile() { # as both kinds of module systems read it: Tcl with a few commands
    command -v tclsh >/dev/null || return 0
    cat >"$scratch/load.tcl" <<'END'
set ModulesCurrentModulefile [lindex $argv 0]
proc module-whatis {text} {}
proc conflict {name} {}
proc append-path {name path} {}
proc prepend-path {name path} {
    if {![file isdirectory $path]} { puts stderr "$name: $path is missing"; exit 1 }
    puts "$name $path"
}
source $ModulesCurrentModulefile
END
    tclsh "$scratch/load.tcl" "$(echo "$moved"/share/modulefiles/hitop/*)" >"$scratch/out" || fail "modulefile"
    grep -qx "PATH $moved/bin" "$scratch/out" || { cat "$scratch/out"; fail "modulefile"; }
}

tools_and_libraries
programs
modulefile
