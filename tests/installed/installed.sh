#!/bin/sh
# Examples as strangers build them: with what is installed, pkg-config and a compiler, and nothing of the sources.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
build=$(cd .. && pwd)
. "${srcdir:-.}/support/scratch.sh"
flags="${CFLAGS-} ${LDFLAGS-} -Wall -Wextra -Werror" # a library with sanitizers needs them in programs, too
model=$top/testdata/models/two-sites/hockney.json

. "${srcdir:-.}/support/stage.sh"

version=$("$build/tools/model_info" --version | sed 's/.* \([0-9.]*\))/\1/')
for library in $libraries; do
    [ "$(ask --modversion $library)" = "$version" ] || fail "$library: version"
    # What libtool knows that an archive needs.
    for word in $(sed -n "s/^dependency_libs='\(.*\)'/\1/p" "$dir/root$lib/lib$library.la"); do
        case $word in
        */libhitop.la) word=-lhitop ;;
        -l*) ;;
        *) continue ;;
        esac
        ask --static --libs $library | tr ' ' '\n' | grep -qx -e "$word" || fail "$library: static needs $word"
    done
done

mkdir "$dir/examples"
cp "$top"/examples/*.[ch] "$dir/examples"
cd "$dir/examples"
# Flags are lists.
# shellcheck disable=SC2046,SC2086
{
    ${CC:-cc} $flags -o predict predict.c $(ask --cflags --libs hitop) || fail "predict"
    ${CC:-cc} $flags -o matmul matmul.c matmul_parts.c $(ask --cflags --libs hitop_mpi) || fail "matmul"
    ${CC:-cc} $flags -o private private*.c $(ask --cflags --libs hitop_mpi) || fail "private"
    $(ask --variable=mpicc hitop_mpi) $flags -o model_bcast model_bcast.c $(ask --cflags --libs hitop_mpi) ||
        fail "model_bcast"
    $(ask --variable=mpicc hitop_estimate_mpi) $flags -o measure_and_use measure_and_use.c \
        $(ask --cflags --libs hitop_estimate_mpi hitop_mpi) || fail "measure_and_use"
}
./predict "$model" 64k >out || fail "predict"
grep -q '^ecef ' out || { cat out; fail "predict"; }
sh "$top/tests/support/mpi-run.sh" 2 ./model_bcast "$model" ecef >out || fail "model_bcast"
[ "$(grep -c ' ecef ' out)" -eq 6 ] || { cat out; fail "model_bcast"; }
sh "$top/tests/support/mpi-run.sh" 2 ./private "$top/examples/private.json" >out || fail "private"
grep -q '^broadcast by comb' out || { cat out; fail "private"; }
sh "$top/tests/support/mpi-run.sh" 2 ./matmul -n 30 -r 1 >out || fail "matmul"
grep -q '^by speed *hitop ' out || { cat out; fail "matmul"; }

for ranks in 1 2 3 4; do
    sh "$top/tests/support/mpi-run.sh" $ranks ./measure_and_use --rounds 2 --seconds 0.5 >out || fail "measure_and_use on $ranks"
    grep -q "^measured: $ranks ranks\\{0,1\\}, $((ranks * (ranks - 1) / 2)) links\\{0,1\\}," out && grep -q '^checked: ' out ||
        { cat out; fail "measure_and_use on $ranks"; }
done

# The same with archives, where they are built.
if [ -e "$dir/root$lib/libhitop.a" ]; then
    # what hwloc needs itself is in its shared library; files to link with -ludev are often missing
    archives=$(ask --static --libs hitop_estimate_mpi hitop_mpi | sed 's/-l\(hitop[a-z_]*\)/-l:lib\1.a/g; s/-ludev//g')
    # shellcheck disable=SC2046,SC2086
    $(ask --variable=mpicc hitop_mpi) $flags -o archived measure_and_use.c $(ask --cflags hitop_estimate_mpi) $archives ||
        fail "measure_and_use with archives"
    ! ldd ./archived | grep hitop || fail "measure_and_use with archives: a shared library"
    sh "$top/tests/support/mpi-run.sh" 3 ./archived --rounds 2 --seconds 0.5 >out || fail "measure_and_use with archives"
    grep -q '^measured: 3 ranks, 3 links' out || { cat out; fail "measure_and_use with archives"; }
fi

# All headers as C++, and something of each library that has no MPI.
(cd "$dir/root$include" && find hitop -name '*.h' | sort | sed 's/.*/#include <&>/') >all.cc
[ "$(wc -l <all.cc)" -gt 20 ] || fail "headers are missing"
cat >>all.cc <<'END'
int main()
{
    hitop_diag diag = HITOP_DIAG_INIT;
    hitop_hierarchy *h = 0;

    return hitop_dot_read("no such file", 0, &h, &diag) == HITOP_ERR_IO && hitop_file_sources()[0] &&
           hitop_links_least_rounds(0, 0, 2, 2) == 0 && hitop_version()[0] != '\0' ? 0 : 1;
}
END
# shellcheck disable=SC2046,SC2086
{
    c++ -std=c++11 -Wall -Wextra -Werror -fPIC -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -c all.cc \
        $(ask --cflags hitop_mpi hitop_dot hitop_estimate hitop_sources) || fail "C++"
    ${CC:-cc} $flags -o all all.o $(ask --libs hitop_dot hitop_estimate hitop_sources) || fail "C++"
}
./all || fail "C++"
