#!/bin/sh
# The command line of benchmark_collective: a mistake is reported in one line, with the option, before MPI starts.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}" # MPI's own leaks, see mpi-run.sh
tool=$bin/benchmark_collective

refuse 2 "'foo' is no operation; valid: pingpong" foo
refuse 2 "--operations: '' is no operation" -O broadcast,
refuse 2 "--ranks: '0' is not an integer in 1.." -n 2,0
refuse 2 "--ranks: 'x' is not" -n x
refuse 2 "--max-size: '5x' has no known unit" -M 5x
refuse 2 "the smallest size (-m 8) is larger" -m 8 -M 4
refuse 2 "--sizes goes without -m, -M and -S" --sizes 8 -m 4
refuse 2 "--root: 'first' is neither a rank from 0 on nor 'rotating'" --root first
refuse 2 "--root: '-1' is neither a rank from 0 on nor 'rotating'" --root -1
refuse 2 "--compare: 'mpi' must be two names" --compare mpi
refuse 2 "'openmpi' serves no collectives; valid: mpi, hitop, hitop/ALGORITHM, preloaded" --compare mpi,openmpi
refuse 2 "--compare: bcast has no algorithm 'foo'; valid: auto" --compare mpi,hitop/foo broadcast
refuse 2 "--implementation: reduce has no algorithm" --implementation hitop/ring reduce
refuse 2 "--implementation: chain has no parameter 'length=3'; valid: segment" --implementation hitop/chain:length=3 broadcast
refuse 2 "there is nothing to --compare" --slow-down B=10%
refuse 2 "'10%' must be e.g. B=10%" --compare mpi,mpi --slow-down 10%
refuse 2 "--min-reps 9 is more than --max-reps 8" -r 9 -R 8
refuse 2 "--implementation goes without --compare" --compare mpi,mpi --implementation hitop
refuse 2 "--implementation goes without --compare" --implementation hitop --compare mpi,mpi
refuse 2 "--output and --report: both are $dir/one.csv" -o "$dir/one.csv" --report "$dir/one.csv" -f csv
refuse 2 "--sizes goes without -m, -M and -S" --sizes-file f -S 4
refuse 2 "--trace goes without --arrival" --trace f --arrival sorted
refuse 2 "'whenever' is no pattern; valid: together, uniform" --arrival whenever
refuse 2 "'xml' is none of text, csv, json, imb, osu" -f xml
refuse 2 "--budget: '0' must be more than 0" --budget 0
refuse 2 "--repetitions: 'x' is none of adaptive, imb" --repetitions x
refuse 2 "--repetitions imb goes without --min-reps" --repetitions imb -r 3
refuse 2 "--repetitions imb goes without --max-reps" --repetitions imb -R 3
refuse 2 "--repetitions imb goes without --compare" --repetitions imb --compare mpi,mpi
refuse 2 "--throughput: 'MiB' is none of 1e6, 2^20" --throughput MiB
refuse 2 "--passes: '0' is not an integer in 1..1000" --passes 0
refuse 2 "--spread: '2'" --spread 2
refuse 2 "--msglog: '40' is not an integer in 41..62" -msglog 41:40
refuse 2 "'maybe' must be on or off" -root_shift maybe
(
    export OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 # as under a launcher: no note about a single rank
    refuse 2 "--type: 'short' is no type for reduce; valid: int, long, float, double" --type short reduce
)
$tool --list | grep -q '^broadcast  *MPI_Bcast$' || fail "list"
