#!/bin/sh
# For tests to read in: the virtual cluster $vcluster of the build folder $build; they are skipped where none can be built.
build=$PWD
vcluster=$build/vcluster/vcluster
[ -x "$vcluster" ] || { echo "vcluster is not built here"; exit 77; }
reason=$("$vcluster" check 2>&1) || { echo "SKIP: $reason"; exit 77; }
