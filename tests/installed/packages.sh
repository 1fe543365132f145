#!/bin/sh
# Files for packages say what configure.ac says: the version, and the libraries that a build needs.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
. "${srcdir:-.}/support/scratch.sh"

version=$(sed -n 's/^AC_INIT(\[hitop\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
[ -n "$version" ] || fail "configure.ac: no version"
[ "$(sed -n '1s/^hitop (\([^)]*\)).*/\1/p' "$top/debian/changelog")" = "$version" ] || fail "debian/changelog: not version $version"

# The packages of Debian that quickstart installs to build and to test, and that debian/control and Dockerfile name.
packages_of() { # packages_of LIST
    sed -n "/^$1_packages=(/,/)/p" "$top/quickstart" | sed 's/.*(//; s/).*//' | tr -s ' ' '\n' | sed '/^$/d'
}
packages_of base | sort >"$dir/base"
sed -n '/^Build-Depends:/,/^[A-Z]/{s/^Build-Depends://;/^[A-Z]/d;p}' "$top/debian/control" |
    sed 's/[(<].*//; s/[ ,]//g; /^$/d; /^debhelper-compat$/d' >"$dir/control"
{ cat "$dir/base" && packages_of check; } | sort >"$dir/all"
sort "$dir/control" | comm -23 - "$dir/all" | grep . && fail "debian/control: packages that quickstart does not install"
grep -- '-dev$' "$dir/base" | grep -vx 'libc6-dev' | while read -r package; do
    grep -qx "$package" "$dir/control" || { echo "debian/control: $package is missing"; exit 1; }
done || fail "debian/control"

command -v python3 >/dev/null || exit 0
python3 "$top/tests/installed/spack_recipe.py" "$top" "$top/configure" || fail "recipe for Spack"
