#!/bin/sh
# Examples as strangers build them: with what is installed, pkg-config and a compiler, and nothing of the sources.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
build=$(cd .. && pwd)
. "${srcdir:-.}/support/scratch.sh"
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL
flags="${CFLAGS-} ${LDFLAGS-} -Wall -Wextra -Werror" # a library with sanitizers needs them in programs, too
model=$top/testdata/models/two-sites/hockney.json

lib=$(PKG_CONFIG_PATH=$build/pkgconfig pkg-config --variable=libdir hitop)
include=$(PKG_CONFIG_PATH=$build/pkgconfig pkg-config --variable=includedir hitop)

for part in src pkgconfig; do
    "${MAKE:-make}" -C "$build/$part" install "DESTDIR=$dir/root" >"$dir/log" 2>&1 || {
        tail -n 20 "$dir/log"
        fail "make install in $part"
    }
done
# make install would link the libraries anew for a moment, in the folder from which other tests load them.
[ -e "$build/coll/.libs/libhitop.so" ] || { echo "no shared libraries"; exit 77; }
for library in hitop hitop_dot hitop_estimate hitop_mpi hitop_sources; do
    cp -P "$build/coll/.libs/lib$library".so* "$dir/root$lib"
    cp "$build/coll/.libs/lib$library.lai" "$dir/root$lib/lib$library.la"
done
export PKG_CONFIG_PATH="$dir/root$lib/pkgconfig"
export LD_LIBRARY_PATH="$dir/root$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

ask() { # ask WORDS... ; pkg-config, for a root that has moved to the folder of this test
    pkg-config "--define-variable=libdir=$dir/root$lib" "--define-variable=includedir=$dir/root$include" "$@"
}

version=$("$build/tools/model_info" --version | sed 's/.* \([0-9.]*\))/\1/')
for library in hitop hitop_dot hitop_estimate hitop_mpi hitop_sources; do
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
}
./predict "$model" 64k >out || fail "predict"
grep -q '^ecef ' out || { cat out; fail "predict"; }
sh "$top/tests/support/mpi-run.sh" 2 ./model_bcast "$model" ecef >out || fail "model_bcast"
[ "$(grep -c ' ecef ' out)" -eq 6 ] || { cat out; fail "model_bcast"; }
sh "$top/tests/support/mpi-run.sh" 2 ./private "$top/examples/private.json" >out || fail "private"
grep -q '^broadcast by comb' out || { cat out; fail "private"; }
sh "$top/tests/support/mpi-run.sh" 2 ./matmul -n 30 -r 1 >out || fail "matmul"
grep -q '^by speed *hitop ' out || { cat out; fail "matmul"; }

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
