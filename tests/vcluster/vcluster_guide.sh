#!/bin/sh
# The guide of several hosts from one command, which writes where its user says, even where hosts have folders of their own: /tmp.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/scratch.sh"
. "$here/support/cluster.sh"

guide=$dir-guide
trap 'rm -rf "$dir" "$guide".*' EXIT
mkdir "$dir/bin"
# on other hosts ranks get a clean environment; its folder is seen there, other than that of the guide
launcher=$dir/bin/launcher
cat >"$launcher" <<END
#!/bin/sh
test "\$1" = -n || exit 9
exec $MPIRUN -n "\$2" sh -c 'export ASAN_OPTIONS=detect_leaks=0; shift 2; exec "\$@"' sh "\$@"
END
chmod +x "$launcher"

# the working folder is not where the guide goes
MPIRUN=$launcher RANKS=2,3 MAX_SIZE=1 BUDGET=2ms timeout -k 5 100 "$here/../examples/guide.sh" \
    --on "$here/vcluster/four-hosts.conf" -o "$guide" "$build/.." >"$dir/out" 2>"$dir/err" ||
    fail "guide.sh: status $? $(cat "$dir/err")"
test "$(cat "$dir/out")" = "$guide.html $guide.md $guide.json" || fail "files: $(cat "$dir/out")"
grep -q '^- \*\*Hosts\*\*: .*,' "$guide.md" || fail "not several hosts: $(grep Hosts "$guide.md")"
