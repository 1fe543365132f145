#!/usr/bin/env bash
# Build the Debian packages of these sources, from an archive that make dist makes, and check them by
# lintian.
# usage: packaging/debian-packages.sh BUILD [OPTION...]
#
#   BUILD    a configured build tree; the packages come into BUILD/debian
#   OPTION   goes to dpkg-buildpackage: -b makes no source package
#
# Needs the packages that debian/control names, debhelper, dpkg-dev and lintian, but not root.
set -euo pipefail
[ $# -ge 1 ] && [ -e "$1/config.status" ] || {
    echo "debian-packages.sh: '${1-}': needs a configured build tree; the first lines of the script describe its use" >&2
    exit 2
}
build=$(cd "$1" && pwd)
shift
rm -rf "$build/debian"
mkdir "$build/debian"
make -C "$build" -s dist
cd "$build/debian"
tar xzf ../hitop-*.tar.gz
rm -f ../hitop-*.tar.gz
cd hitop-*
dpkg-buildpackage -us -uc "$@"
cd ..
rm -rf hitop-*/
lintian --fail-on error,warning --info ./*.changes
ls ./*.deb
