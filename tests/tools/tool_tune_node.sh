#!/bin/sh
# tune_node: a short run writes a file; mistakes give their exit status and one line, and no file.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/tune_node
. "${srcdir:-.}/support/scratch.sh"

timeout 60 "$tool" --rows 2:shared,3:shared --settings cma-from,share-from,barrier-lines-to --most 4KiB --quads 8 \
    --verbose -o "$dir/thresholds" 2>"$dir/err"
grep -q '^ranks 2 shared$' "$dir/thresholds" || fail "no section for two: $(cat "$dir/thresholds")"
grep -q '^ranks any shared$' "$dir/thresholds" || fail "no section for all: $(cat "$dir/thresholds")"
for setting in cma-from share-from barrier-lines-to; do
    test "$(grep -cE "^(# stays: )?$setting " "$dir/thresholds")" = 2 || fail "no $setting for each"
done
grep -qE '^share-from +allreduce +4096 B .* us, other algorithm: x [0-9.]+ \(' "$dir/err" || fail "no comparisons reported"

# Nothing is left of a run that is interrupted.
status=0
timeout -s INT 1 "$tool" --rows 2:shared -o "$dir/interrupted" || status=$?
test "$status" = 124 || fail "not interrupted: status $status"
test "$(find "$dir" -name 'interrupted*')" = '' || fail "left $(find "$dir" -name 'interrupted*')"

# A kernel for more than 1024 processors writes no shorter a set of them.
cat >"$dir/kernel.c" <<END
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    long n = bytes > 128 ? syscall(SYS_sched_getaffinity, pid, bytes, set) : -1;

    if (n < 0) {
        errno = EINVAL;
        return -1;
    }
    memset((char *)set + n, 0, bytes - (size_t)n);
    return 0;
}
END
cc -shared -fPIC -o "$dir/kernel.so" "$dir/kernel.c"
ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}" LD_PRELOAD=$dir/kernel.so timeout 60 "$tool" --rows 2:shared --settings barrier-lines-to --most 4KiB --quads 8 \
    -o "$dir/many"
test "$(head -n 1 "$dir/many")" = "$(head -n 1 "$dir/thresholds")" || fail "many processors: $(head -n 1 "$dir/many")"

refuse 2 "'2GiB': not a multiple of 4KiB from 4KiB to below 2GiB" --most 2GiB
refuse 2 "'8cores'" --rows 8cores
refuse 2 "'busy': neither 'alone' nor 'shared'" --rows 2:busy
refuse 2 "not an integer in 2..1024" --rows 1
refuse 2 "have not a processor each" --rows 1024:alone
refuse 2 "'patience' is none; valid: fragment, cma-chunk" --settings patience
refuse 2 "not a multiple of 4KiB" --most 5000
refuse 2 "8..96" --quads 7
refuse 2 "unexpected argument 'x'" x
refuse 1 "nowhere" -o /nowhere/x
