#!/bin/sh
# For tests to read in after scratch.sh: headers, libraries and pkg-config files of the build tree, installed below
# $dir/root, which is in the folder $lib there; "ask WORDS..." is pkg-config for them.
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL
top_build=$(cd .. && pwd)
libraries='hitop hitop_dot hitop_estimate hitop_estimate_mpi hitop_mpi hitop_sources'

for part in src pkgconfig; do
    "${MAKE:-make}" -C "$top_build/$part" install "DESTDIR=$dir/root" >"$dir/log" 2>&1 || {
        tail -n 20 "$dir/log"
        fail "make install in $part"
    }
done
staged() { # staged FILE UP ; the folder that is UP above FILE, below the root
    (cd "$(find "$dir/root" -path "*/$1" | sed 's|/[^/]*$||')/$2" && pwd -P) | sed "s|^$(cd "$dir/root" && pwd -P)||"
}

lib=$(staged pkgconfig/hitop.pc ..)
include=$(staged hitop/status.h ..)
# make install would link the libraries anew for a moment, in the folder from which other tests load them.
[ -e "$top_build/coll/.libs/libhitop.so" ] || { echo "no shared libraries"; exit 77; }
for library in $libraries; do
    cp -P "$top_build/coll/.libs/lib$library".so* "$dir/root$lib"
    cp "$top_build/coll/.libs/lib$library.lai" "$dir/root$lib/lib$library.la"
    [ ! -e "$top_build/coll/.libs/lib$library.a" ] || cp "$top_build/coll/.libs/lib$library.a" "$dir/root$lib"
done
export PKG_CONFIG_PATH="$dir/root$lib/pkgconfig"
export LD_LIBRARY_PATH="$dir/root$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

ask() { # ask WORDS... ; pkg-config, for a root that has moved to the folder of this test
    pkg-config "--define-variable=libdir=$dir/root$lib" "--define-variable=includedir=$dir/root$include" "$@"
}
