#!/bin/sh
# benchmark_report: results that no machine gives, or hardly one. What the guide says of them is what they are, and no
# table is empty.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/benchmark_report
. "${srcdir:-.}/support/scratch.sh"
command -v python3 >/dev/null || exit 77

cat >"$dir/make.py" <<'EOF'
# make.py CURVES MEMBERS: results with the curves of a list, and with these members; both in Python
import json, sys
def point(size, us):
    return {"size_B": size, "repetitions": 100, "state": "converged",
            "time_us": {"median": us, "lo": 0.99 * us, "hi": 1.01 * us, "min": 0.9 * us, "max": 1.1 * us, "mean": us}}
def curve(points, ranks=2, operation="broadcast", **members):
    return {"operation": operation, "implementation": "mpi", "ranks": ranks, "hosts": 1, "timing": "max",
            "points": [point(size, us) for size, us in points], **members}
powers = [2 ** i for i in range(20)]
document = {"format": "hitop-benchmark", "version": 1, "noise_floor": 0.01, "curves": eval(sys.argv[1])}
document.update(eval("dict(" + sys.argv[2] + ")"))
json.dump(document, sys.stdout)
EOF

guide() { # guide NAME CURVES [MEMBERS]
    python3 "$dir/make.py" "$2" "${3-}" >"$dir/$1.json"
    "$tool" "$dir/$1.json" --format md >"$dir/$1.md" 2>"$dir/err" || fail "$1: status $? $(cat "$dir/err")"
    test ! -s "$dir/err" || fail "$1: $(cat "$dir/err")"
    if grep -nE '(^|[^a-z])-?(nan|inf)([^a-z]|$)' "$dir/$1.md"; then
        fail "$1: no number"
    fi
    awk '/^[|]:?-/ { head = NR } head && NR == head + 1 && !/^[|]/ { exit 1 }' "$dir/$1.md" || fail "$1: a table without rows"
}
says() { # says NAME TEXT
    grep -qF -e "$2" "$dir/$1.md" || fail "$1: no '$2' in $(grep -E '^- \*\*[0-9]|the data|^There' "$dir/$1.md")"
}

guide one '[curve([(1024, 5)])]'
says one 'There is one size, so there is no T(m) to fit.'
guide two '[curve([(1, 5), (1024, 6)])]'
says two 'the data do not decide: no point could be left out of the fit'
guide four '[curve([(1, 5), (1024, 6), (2048, 7), (4096, 9)])]'
says four 'the data do not decide: only 2 points could be left out'
guide equal '[curve([(m, 5) for m in powers], ranks=p) for p in (2, 4, 8)]'
says equal '**2 ranks**: From 1 B to 512 KiB the data support a constant'
says equal 'one formula in P and m, in which neither size nor number of ranks counts'
guide zero '[curve([(m, 0) for m in powers], ranks=p) for p in (2, 4)]'
says zero '**2 ranks**: No time is above 0, so there is no T(m).'
guide some '[curve([(m, max(0, (m - 100) * 1e-3)) for m in powers])]'
says some 'From 128 B to 512 KiB'
guide steep '[curve([(m, 5 + 13.2 * m) for m in powers])]'
says steep 'T(m) = 5.00 µs + 13.2 µs/B · m'
guide falling '[curve([(1024 * i, 100 - 4 * i) for i in range(1, 21)])]'
says falling 'Times fall with the size, as no cost does'
guide wild '[curve([(m, 1 + 999 * (i % 2)) for i, m in enumerate(powers)])]'
says wild 'no form describes the data'
guide huge '[curve([(2 ** i, 1e-3 * 2 ** i) for i in range(0, 63, 3)] + [(2 ** 63 - 1, 1e-3 * 2 ** 63)])]'
says huge 'the data support one straight line'
guide far '[curve([(0, t)], ranks=p, operation="barrier") for p, t in ((2, 1), (4, 6), (8, 90))]'
says far '100 % by x '
guide short '[curve([(m, 1e-12) for m in powers])]'
says short 'must be 1e-15 to 1e+12 s'
guide quiet '[curve([(m, 5 + 1e-3 * m) for m in powers])]' 'noise_floor=1e-200'
says quiet 'the data support one straight line'
guide null '[curve([(8, 5)])]' 'comparisons=[{"operation": "broadcast", "ranks": 2, "size_B": 8, "a": "x", "b": "y",
    "ratio": None, "lo": None, "hi": None, "verdict": "not measured"}]'
says null '| Broadcast | 2 | 8 B | x | y | - | - | not measured |'

# like is compared with like: a cold broadcast could not be done by a hot allreduce
guide caches '[curve([(8, 5)], cache="cold"), curve([(8, 2)], operation="allreduce", cache="hot")]'
says caches 'Nothing of the kind was found'
guide alike '[curve([(8, 5)], cache="hot"), curve([(8, 2)], operation="allreduce", cache="hot")]'
says alike '| Broadcast | 2 | 8 B | 5.00 µs | Allreduce | 2.00 µs | 2.50 |'

# a figure by ranks holds all of them, also those that a figure by sizes has no room for
guide many '[curve([(0, 100 if p == 4 else p)], ranks=p, operation="barrier") for p in range(2, 90)]'
"$tool" "$dir/many.json" -o "$dir/many.html"
test "$(grep -c 'class="mark"' "$dir/many.html")" -ge 88 || fail "marks: $(grep -c 'class="mark"' "$dir/many.html")"
# and shows the least of them: times of several decades are on a logarithmic axis
grep -q '>Figure 1. Barrier: time by number of ranks, with intervals; the axis of times is logarithmic' "$dir/many.html" ||
    fail "many: $(grep figcaption "$dir/many.html")"
guide few '[curve([(0, p)], ranks=p, operation="barrier") for p in range(2, 9)]'
"$tool" "$dir/few.json" -o "$dir/few.html"
grep -q '>Figure 1. Barrier: time by number of ranks, with intervals\.<' "$dir/few.html" ||
    fail "few: $(grep figcaption "$dir/few.html")"
grep -q '>0 ns</text>' "$dir/few.html" || fail "few: the axis does not begin at 0"
if grep -q '>0 ns</text>' "$dir/many.html"; then
    fail "many: the axis begins at 0"
fi
# numbers of any size have a place in a figure
for name in huge short zero some steep far quiet; do
    "$tool" "$dir/$name.json" -o "$dir/$name.html" || fail "$name: status $?"
    if grep -E 'd="[^"]*(nan|inf)' "$dir/$name.html"; then
        fail "$name: a figure has no number"
    fi
done
