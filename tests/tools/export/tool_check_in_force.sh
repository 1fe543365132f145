#!/bin/sh
# export_tuning --check FILE --sizes LIST --job NODESxRANKS: the rule that each library takes, and why it takes its default;
# the version that a file says; the version of the library that is installed.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$(cd "$bin" && pwd)/export_tuning
good=$top/testdata/tuning/good
model=$top/testdata/models/two-sites/hockney.json
cd "$dir"

says() { # says WORDS ARGUMENT... ; the output has a line that ends with WORDS
    words=$1
    shift
    "$tool" --check "$@" >out 2>err || fail "$*: $(cat err)"
    grep -v '^#' out | grep -qF -e "$words" || fail "$*: no '$words' in $(cat out)"
}

# coll/tuned, classic: blocks for 4 and 16 ranks, the smallest also for fewer
cat >site.rules <<'END'
5
7 2
4 2
0 6 0 0
4096 3 0 1024
16 3
0 9 0 0
64 9 0 0
1024 0 0 0
9 1
2 2
0 1 0 0
4096 2 0 0
4 1
2 2
0 1 0 0
100 2 0 0
0 1
2 1
0 2 0 0
12 1
2 0
END
says 'site.rules:5: bcast: algorithm 3 (pipeline), fan-out 0, segment 1024' site.rules --for 4.1 --sizes 4k --job 4x2 -O bcast
says 'site.rules:4: bcast: algorithm 6 (binomial), fan-out 0, segment 0' site.rules --for 4.1 --sizes 1k --job 1x2 -O MPI_Bcast
says 'site.rules:9: bcast: '"the library's default: the rule has algorithm 0" site.rules --for 5.0 --sizes 1k --job 4x4 -O bcast
says 'site.rules:7: bcast: algorithm 9 (scatter_allgather_ring), fan-out 0, segment 0; it turns linear: there are fewer elements than' \
    site.rules --for 5.0 --sizes 8 --job 4x4 -O bcast
says 'it turns linear for elements of more than 4 bytes: there are fewer than ranks' site.rules --for 5.0 --sizes 64 --job 4x4 -O bcast
says "bcast: the library's default: the rule has algorithm 0" site.rules --for 6.0 --sizes 1k --job 4x2 -O bcast
says 'algorithm 2 (binomial), fan-out 0, segment 0; looked up with 8192 bytes, those of all ranks; ranks may look up different sizes' \
    site.rules --for 4.1 --sizes 1k --job 4x2 -O gather
says 'site.rules:16: alltoallv: algorithm 1 (basic_linear), fan-out 0, segment 0; always looked up with 0 bytes' \
    site.rules --for 4.1 --sizes 1M --job 4x2 -O alltoallv
says 'allgather: algorithm 2 (bruck), fan-out 0' site.rules --for 5.0 --sizes 1k --job 4x2 -O allgather
says 'allgather: algorithm 2 (bruck-k-fanout), fan-out 0' site.rules --for 6.0 --sizes 1k --job 4x2 -O allgather
says "reduce_scatter: the library's default: the block has no rules" site.rules --for 4.1 --sizes 1k --job 4x2 -O reduce_scatter
says "scan: the library's default: there are no rules for it" site.rules --for 4.1 --sizes 1k --job 4x2 -O scan
says "gatherv: the library's default: it has no algorithms to choose" site.rules --for 4.1 --sizes 1k --job 4x2 -O gatherv
"$tool" --check site.rules --for 4.1.4 --sizes 1k,1M --job 4x2 --job 4x4 >out
test "$(grep -c '^# Open MPI 4.1.4, 4x[24] ranks, 1[KM]iB$' out)" = 4 || fail "headings: $(cat out)"
test "$(grep -c ': bcast: ' out)" = 4 || fail "all: $(cat out)"
printf 'rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0\n' >two.rules
says "bcast: the library's default: the whole file is ignored because of line 1" two.rules --for 4.1.4 --sizes 1k --job 4x2 -O bcast
says 'two.rules:5: bcast: algorithm 6' two.rules --for 4.1.8 --sizes 1k --job 4x2 -O bcast

# as JSON: the first that matches, by the hosts of the job
says 'rules.json:8: bcast: algorithm 3 (pipeline), fan-out 0, segment 32768' "$good/rules.json" --sizes 4k --job 1x8 -O bcast
says "bcast: the library's default: there is no rule for 8 ranks in this job" "$good/rules.json" --sizes 4k --job 4x2 -O bcast
says 'bcast: algorithm 2 (chain), fan-out 4, segment 65536' "$good/rules.json" --sizes 4k --job 4x4 -O bcast

# coll/han: each level with its ranks
says 'han.rules:15: bcast: the communicator, 8 ranks: han' "$good/han.rules" --sizes 64k --job 4x2
says 'han.rules:7: bcast: in nodes, 2 ranks: libnbc' "$good/han.rules" --sizes 64k --job 4x2
says 'han.rules:10: bcast: between nodes, 4 ranks: libnbc' "$good/han.rules" --sizes 64k --job 4x2
says 'coll/han serves communicators with several hosts and several ranks on each only' "$good/han.rules" --sizes 64k --job 1x4

# MPICH: conditions in turn
says 'bcast: MPIR_Bcast_intra_scatter_recursive_doubling_allgather' "$good/csel-4.0.json" --for 4.0 --sizes 16k --job 8x1 -O bcast
says 'bcast: MPIR_Bcast_intra_scatter_ring_allgather' "$good/csel-4.0.json" --for 4.0 --sizes 16k --job 9x1 -O bcast
says 'bcast: MPIR_Bcast_intra_binomial' "$good/csel-4.0.json" --for 4.0 --sizes 12k --job 9x1 -O bcast
says 'bcast: MPIDI_Bcast_intra_composition_gamma' "$good/compositions.json" --for 4.1 --sizes 12k --job 4x2 -O bcast
says 'bcast: MPIDI_Bcast_intra_composition_alpha' "$good/compositions.json" --for 4.1 --sizes 1k --job 4x2 -O bcast
says 'scan: no algorithm for 8 ranks: the first call ends the program' "$good/compositions.json" --for 4.1 --sizes 1k --job 4x2 -O scan

# version 2 of the classic format is ignored by older versions only; without --for the file says 4.1.8
printf 'rule-file-version-2\n1\n7\n1\n1 1\n0 6 0 0\n' >two.rules
says 'two.rules:6: bcast: algorithm 6 (binomial), fan-out 0, segment 0' two.rules --sizes 1k --job 4x2 -O bcast
says 'bcast: '"the library's default: the whole file is ignored because of line 1" two.rules --for 5.0.6 --sizes 1k --job 4x2 -O bcast

# UCC, Intel MPI, parameters; a string of any length, and blanks around '='
awk 'BEGIN { printf "UCC_TL_UCP_TUNE = "
             for (i = 2; i < 400; i++) printf "%sbcast:0-4k:host:[%d-%d]:@knomial", (i > 2) ? "#" : "", i, i }' >long.conf
says 'long.conf:1: bcast: bcast:0-4k:host:[398-398]:@knomial' long.conf --sizes 1k --job 199x2 -O bcast
says 'ucc.conf:2: allreduce: allreduce:0-8K:host:[2-64]:@knomial' "$good/ucc.conf" --sizes 1k --job 4x2 -O allreduce
says 'ucc.conf:2: allreduce: allreduce:8K-inf:host:[2-64]:@sra_knomial' "$good/ucc.conf" --sizes 8k --job 4x2 -O allreduce
says 'ucc.conf:5: reduce: bcast,reduce:0-4K,1M-inf:100, on processors of [vendor=intel' "$good/ucc.conf" --sizes 1k --job 32x1 -O reduce
says "reduce: the library's default: no token is for it" "$good/ucc.conf" --sizes 1k --job 4x2 -O reduce
says 'intel.json:2: reduce: REDUCE=8, if sizes are upper limits' "$good/intel.json" --sizes 200 --job 1x2
says 'intel.json:3: reduce: REDUCE=1' "$good/intel.json" --sizes 1k --job 1x2
says 'reduce: no choice for 4 ranks on each host' "$good/intel.json" --sizes 1k --job 1x4
says 'site.conf:1: coll_tuned_use_dynamic_rules: 1' "$good/site.conf" --sizes 1k --job 1x4

# wrong questions
refuse 2 '--check with --sizes and --job prints what is in force' --check "$good/han.rules" --sizes 1k
refuse 2 '--check with --sizes and --job prints what is in force' --check "$good/han.rules" --job 4x2
refuse 2 '--sizes: files of mpich-coords have no rules for sizes' --check "$good/ranks.coords" --sizes 1k --job 4x2
refuse 2 "--operation: " --check "$good/han.rules" --sizes 1k --job 4x2 -O broadcastt
refuse 2 '--sizes and --operation go with --check' -i "$model" --format openmpi-tuned --sizes 1k
refuse 3 "'x'" --check "$good/han.rules" --sizes x --job 4x2

# the version that a file says, without --for
"$tool" -i "$model" --format openmpi-tuned --for 4.1.4 -o old.rules
"$tool" --check old.rules >out 2>err || fail "old.rules: $(cat out)"
grep -qx 'export_tuning: old.rules is for Open MPI 4.1.4, as line 2 says; see --for' err || fail "old.rules: $(cat err)"
sed 's/For Open MPI/by hand for Open MPI/' old.rules >plain.rules
! "$tool" --check plain.rules 2>err | grep -v 'from 6\|linear' || fail "plain.rules"
test ! -s err || fail "plain.rules: $(cat err)"
"$tool" --check plain.rules >out || grep -q 'use the JSON format (Open MPI from 6.0)$' out || fail "plain.rules: $(cat out)"
printf '{ "collectives": { "allgather": [ { "rules": [ { "alg": 7 } ] } ] } }' >new.json
"$tool" --check new.json || fail "new.json"

# the version of the installed library, if it has one; --for wins, and without one it is the newest
install() { # install PROGRAM OUTPUT ; a program of that name that prints OUTPUT
    mkdir -p fake
    printf '#!/bin/sh\necho "%s"\n' "$2" >"fake/$1"
    chmod +x "fake/$1"
}
exports() { # exports NOTE ARGUMENT... ; prints exactly this note
    note=$1
    shift
    PATH=$dir/fake:$PATH "$tool" -i "$model" -o file "$@" 2>err || fail "$*: $(cat err)"
    printf '%s' "${note:+export_tuning: $note; see --for
}" | diff - err || fail "$*: $(cat err)"
}
install mpirun 'mpirun (Open MPI) 4.1.7'
exports 'for Open MPI 4.1.7, that of mpirun' --format rankfile
grep -q -e '--rankfile FILE' file || fail "rankfile for 4.1.7: $(cat file)"
exports '' --format rankfile --for 5.0
install mpirun 'mpirun (Open MPI) 5.0.3rc1'
exports 'for Open MPI 5.0.3, that of mpirun' --format rankfile
install mpirun 'mpirun (Open MPI) 6.0.0'
exports 'for Open MPI 5.0, the newest one that openmpi-tuned knows; that of mpirun is 6.0.0' --format openmpi-tuned --job 2x1
install mpirun 'HYDRA build details: Version: 4.2.1'
install ompi_info 'Open MPI v4.1.2'
exports 'for Open MPI 4.1.2, that of ompi_info' --format rankfile
install ompi_info ''
exports 'for Open MPI 6.0, the newest known one; none was found here' --format rankfile
install mpichversion 'MPICH Version:    	4.2.3'
exports 'for MPICH 4.2.3, that of mpichversion' --format mpich-coords --job 3x1
printf '#!/bin/sh\nsleep 60\n' >fake/ompi_info
exports 'for Open MPI 6.0, the newest known one; none was found here' --format rankfile
exports '' --format rank-order
