#!/bin/sh
# export_tuning: each format against a stored file (HITOP_UPDATE_GOLDEN=1 rewrites them), wrong options, no partial output.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
top=${srcdir:-.}/..
tool=$bin/export_tuning
golden=$top/testdata/golden
sites=$top/testdata/models/two-sites
four=$top/testdata/models/four-levels.json

# no library is found, so that files without --for are for the newest known version
mkdir "$dir/none"
for program in mpirun ompi_info mpichversion ucc_info smpirun; do
    printf '#!/bin/sh\nexit 1\n' >"$dir/none/$program"
    chmod +x "$dir/none/$program"
done
PATH=$dir/none:$PATH

expect() { # expect GOLDEN MODEL ARGUMENT...: the output for the model is the stored one
    name=$1 model=$2
    shift 2
    "$tool" -i - "$@" <"$model" >"$dir/out" || fail "$*"
    if [ "${HITOP_UPDATE_GOLDEN:-0}" = 1 ]; then
        cp "$dir/out" "$golden/$name"
    fi
    diff -u "$golden/$name" "$dir/out" || fail "$name"
}

# two-sites has its ranks round robin over four hosts, so that order matters
expect export-rankfile-4.1.txt "$sites/hockney.json" --format rankfile --for 4.1.4
expect export-rankfile.txt "$sites/hockney.json" --format rankfile
expect export-rank-order.txt "$sites/hockney.json" --format rank-order
expect export-mpich-coords.txt "$four" --format mpich-coords --job 16x1
expect export-simgrid.xml "$sites/lmo.json" --format simgrid
expect export-simgrid.hosts "$sites/lmo.json" --format simgrid-hosts
expect export-loggopsim.txt "$sites/loggp.json" --format loggopsim
expect export-openmpi-params.conf "$sites/hockney.json" --format openmpi-params --for 5.0.7 --rules /etc/site.rules
if command -v xmllint >/dev/null; then
    xmllint --noout --nonet "$golden/export-simgrid.xml"
fi

# rules: what readers need, and as much faster as predict_collective predicts at the size with the largest gain
rules() { # rules classic|json MODEL RANKS ARGUMENT...: checks them
    kind=$1 model=$2 ranks=$3
    shift 3
    "$tool" -i "$model" "$@" -o "$dir/rules" || fail "$*"
    # shellcheck disable=SC2086 # a list
    python3 "${srcdir:-.}/tools/export_rules.py" "$kind" "$dir/rules" $ranks >"$dir/listed" || fail "$*: $(cat "$dir/rules")"
    test -s "$dir/listed" || fail "$*: no rules"
}
for formula in hockney plogp; do
    rules classic "$sites/$formula.json" '4 8' --format openmpi-tuned --for 4.1.4 --job 4x2 --job 4x1
    rules json "$sites/$formula.json" '3 4 8' --format openmpi-tuned-json --job 4x2 --job 3x1 --job 2x2
done
rules classic "$four" 32 --format openmpi-tuned --for 5.0.7
rules classic "$sites/hockney.json" 8 --format openmpi-tuned --for 4.1
sed -n '/# bcast/,/^$/s/.* times as fast as the default, \([0-9.]*\) times at \(.*\)/\1 \2/p' "$dir/rules" >"$dir/gains"
test -s "$dir/gains" || fail "no gains of bcast: $(cat "$dir/rules")"
while read -r gain size; do
    "$bin/predict_collective" -i "$sites/hockney.json" -O bcast --mpi openmpi-4.1 --element 8 --sizes "$size" --format csv |
        awk -F , -v gain="$gain" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { found = 1; if ($at["vs_own"] < gain * 0.98) exit 1 } END { exit !found }' ||
        fail "bcast at $size: predict_collective does not predict $gain"
done <"$dir/gains"

# coll/han and coll/tuned take turns, other communicators keep the default; on one host there is nothing to say
for case in '4.1 tuned han' '5.0 han tuned' '6.0 han tuned'; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    "$tool" -i "$sites/hockney.json" --format openmpi-han --for "$1" --job 4x2 --job 3x3 >"$dir/out"
    awk -v usual="$2" -v other="$3" '
        { sub(/#.*/, "") }
        NF == 2 && /^  [0-9]/ { block = $1; rules = $2; next }
        /^    [0-9]/ {
            if ($2 == other && block != 8 && block != 9) exit 1
            if (block != 8 && block != 9 && (rules != 1 || $2 != usual)) exit 1
            n += $2 == other
        }
        END { exit n < 1 }' "$dir/out" || fail "openmpi-han for $1: $(cat "$dir/out")"
    "$tool" -i "$sites/hockney.json" --format openmpi-han --for "$1" --job 1x4 | grep -qx '0  # operations' || fail "$1: one host"
done

# choices of MPICH: rules for as many ranks as hosts, the default around them, all 44 collectives
"$tool" -i "$four" --format mpich-csel --for 4.1 --job 4x2 --job 3x1 -o "$dir/csel"
python3 - "$dir/csel" <<'END' || fail "mpich-csel: $(head -c 2000 "$dir/csel")"
import json
import os
import sys

with open(sys.argv[1]) as f:
    tree = json.load(f)
assert len(tree) == 44 and os.path.getsize(sys.argv[1]) % 4096
sized = 0
for collective, choice in tree.items():
    intra = choice.get("comm_type=intra", {})
    for n in (3, 4):
        if "comm_size<=%d" % n in intra:
            sized += 1
            assert list(intra)[-1] == "comm_size=any", collective
            assert "comm_size<3" in intra if n == 3 else "comm_size<4" in intra or "comm_size<=3" in intra
assert sized >= 2
assert "algorithm=MPIR_Barrier_intra_k_dissemination" in json.dumps(tree["collective=barrier"])
END

# with rules for coll/tuned in force, it decides at least as often; both files in the parameters
"$tool" -i "$sites/hockney.json" --format openmpi-han --for 5.0 --job 4x2 | grep -c '^    [0-9]* tuned' >"$dir/few" || true
"$tool" -i "$sites/hockney.json" --format openmpi-han --for 5.0 --job 4x2 --rules site.rules >"$dir/out"
grep -q '^# With site.rules as rules of coll/tuned$' "$dir/out" || fail "no rules named: $(cat "$dir/out")"
test "$(grep -c '^    [0-9]* tuned' "$dir/out")" -ge "$(cat "$dir/few")" || fail "with rules: $(cat "$dir/out")"
"$tool" -i "$sites/hockney.json" --format openmpi-params --for 5.0 --rules /a/b --han-rules c | grep -v '^#' >"$dir/out"
cat >"$dir/want" <<END
coll_tuned_use_dynamic_rules = 1
coll_tuned_dynamic_rules_filename = /a/b
coll_han_use_dynamic_file_rules = 1
coll_han_dynamic_rules_filename = $PWD/c
END
diff "$dir/want" "$dir/out" || fail "openmpi-params with both files"

# UCC: one string with a token for each rule; Intel MPI: a tree whose last size is any
"$tool" -i "$sites/hockney.json" --format ucc --job 4x2 --job 4x1 >"$dir/out"
test "$(grep -c '^UCC_TL_UCP_TUNE=' "$dir/out")" = 1 || fail "ucc: $(cat "$dir/out")"
test "$(grep -c '^# .* predicted' "$dir/out")" = "$(tail -1 "$dir/out" | tr '#' '\n' | grep -cE '^(UCC_TL_UCP_TUNE=)?[a-z]+:[0-9]+-([0-9]+|inf):host:\[(4-4|8-8)\]:@[a-z_]+$')" ||
    fail "ucc: tokens: $(cat "$dir/out")"
"$tool" -i "$sites/hockney.json" --format intel >"$dir/out"
python3 - "$dir/out" <<'END' || fail "intel: $(cat "$dir/out")"
import json
import sys

tree = json.load(open(sys.argv[1]))
assert set(tree) == {"coll=Allgather", "coll=Allreduce", "coll=Alltoall", "coll=Bcast"}
for coll, choice in tree.items():
    sizes = choice["ppn=2"]["comm_size=8"]["comm_id=-1"]
    assert list(sizes)[-1] == "msg_size=-1"
    numbers = [int(s.split("=")[1]) for s in sizes][:-1]
    assert numbers == sorted(numbers)
    assert all(list(v)[0].startswith(coll[5:].upper() + "=") for v in sizes.values())
END

# every format has a test above, writes for one rank or refuses, and stands in the page
"$tool" --list >"$dir/list"
cut -d ' ' -f 1 "$dir/list" >"$dir/names"
test "$(wc -l <"$dir/names")" -ge 6
while read -r name; do
    grep -q -e "--format $name" "$0" || fail "$name has no test"
    sed 's/\\-/-/g' "${srcdir:-.}/../man/export_tuning.1.in" | grep -qxF ".B $name" || fail "export_tuning.1 lacks $name"
    status=0
    "$tool" -i "$four" --job 1x1 --format "$name" >"$dir/out" 2>"$dir/err" || status=$?
    case $status in
    0) test -s "$dir/out" && ! grep -v 'the newest known one; none was found here; see --for$' "$dir/err" ;;
    *) test ! -s "$dir/out" && test "$(wc -l <"$dir/err")" = 1 ;;
    esac || fail "$name of one rank: status $status"
done <"$dir/names"

# a job: its hosts, in order, with its ranks on each, also more than in the model
"$tool" -i "$four" --job 3x4 --format simgrid-hosts | uniq -c | awk '{ print $1 $2 }' >"$dir/job"
printf '4csi01.lyon.fr\n4csi02.lyon.fr\n4csi03.lyon.fr\n' | diff - "$dir/job" || fail "--job 3x4"

# packages: ranks 0 and 2 on the first one
python3 - "$sites/hockney.json" >"$dir/packages.json" <<'END'
import json
import sys
model = json.load(open(sys.argv[1]))
model.update(ranks=4)
model["tree"] = {"hosts": ["a"] * 4, "parents": [4, 5, 4, 5],
                 "groups": [{"node": 4, "level": "package", "name": "package 0", "parent": 6},
                            {"node": 5, "level": "package", "name": "package 1", "parent": 6},
                            {"node": 6, "level": "host", "name": "a", "parent": None}]}
model["classes"] = [dict(model["classes"][0], node=n, level=level, name=name, pair=None)
                    for n, level, name in ((4, "package", "package 0"), (5, "package", "package 1"), (6, "host", "a"))]
json.dump(model, sys.stdout)
END
"$tool" -i "$dir/packages.json" --format rankfile | grep -v '^#' >"$dir/out"
printf 'rank 0=a slot=0:0\nrank 1=a slot=0:1\nrank 2=a slot=1:0\nrank 3=a slot=1:1\n' | diff - "$dir/out" || fail packages

# mistakes: one line, the usual status, no file
refuse 2 "-i MODEL and --format NAME are required" --format simgrid
refuse 2 "-i MODEL and --format NAME are required" -i "$four"
refuse 2 "--format: no format 'rank-file' (did you mean rankfile?); valid: rankfile, rank-order" -i "$four" --format rank-file
refuse 2 "--for: '5' is not a version such as 5.0 or 5.0.7" -i "$four" --format rankfile --for 5
refuse 2 "--for: 3.1: rankfile is for Open MPI 4.1 to 6.0" -i "$four" --format rankfile --for 3.1
refuse 2 "--for: 7.0: rankfile is for Open MPI 4.1 to 6.0" -i "$four" --format rankfile --for 7.0
refuse 2 "--for: loggopsim is for no library with versions" -i "$four" --format loggopsim --for 1.0
refuse 2 "--job: '4' is not NODESxRANKS" -i "$four" --format rankfile --job 4
refuse 2 "--job: '0x4' is not NODESxRANKS" -i "$four" --format rankfile --job 0x4
refuse 2 "--job: 17 hosts; the model has 16" -i "$four" --format rankfile --job 17x1
refuse 2 "--job: more than 100000000 ranks" -i "$four" --format rankfile --job 16x100000000
echo 'digraph { a [type=0, model_data=a]; b [type=0, model_data=b]; top [type=1, latency_us=10, bandwidth="100MB/s"]; a->top; b->top; }' >"$dir/hosts.dot"
refuse 2 "--job: 2 ranks on host a, which has one in the model: the times of messages on it are unknown" -i "$dir/hosts.dot" \
    --format openmpi-tuned --for 4.1 --job 2x2 -o "$dir/unpriced"
test ! -e "$dir/unpriced" || fail "a file for ranks without times"
refuse 2 "--job: rankfile is for one job" -i "$four" --format rankfile --job 4x1 --job 2x1
refuse 2 "--job: 4x1 and 2x2 have 4 ranks each, which the file cannot distinguish" \
    -i "$four" --format openmpi-tuned --job 4x1 --job 2x2
refuse 2 "--job: 4x1 and 4x1 have 4 ranks each, which the file cannot distinguish" \
    -i "$four" --format mpich-csel --job 4x1 --job 4x2
refuse 2 "--for: 6.0: openmpi-tuned is for Open MPI 4.1 to 5.0" -i "$four" --format openmpi-tuned --for 6.0
refuse 2 "--rules: openmpi-han for 4.1 is compared with the defaults of coll/tuned; leave the option out" -i "$four" --format openmpi-han --for 4.1 --rules x
refuse 2 "openmpi-params needs --rules FILE" -i "$four" --format openmpi-params
refuse 2 "ucc takes no --rules" -i "$four" --format ucc --rules x
refuse 2 "openmpi-han takes no --han-rules" -i "$four" --format openmpi-han --han-rules x
refuse 2 "rankfile takes no --validation" -i "$four" --format rankfile --validation "$four"
refuse 2 "unexpected argument 'x'" -i "$four" --format rankfile x
refuse 3 "none.json: cannot open" -i "$dir/none.json" --format rankfile
echo "{" >"$dir/broken.json"
refuse 3 "broken.json" -i "$dir/broken.json" --format rankfile
cp "$four" "$dir/model"
refuse 2 "-o: '$dir/model' would replace what -i reads" -i "$dir/model" --format rankfile -o "$dir/model"
cmp "$four" "$dir/model"
for option in --rules --han-rules --validation; do
    refuse 2 "-o: '$dir/model' would replace what $option reads" -i "$four" --format openmpi-params --rules x $option "$dir/model" -o "$dir/model"
done
cmp "$four" "$dir/model"
refuse 1 "one rank sends no messages" -i "$four" --format loggopsim --job 1x1 -o "$dir/no-file"
test ! -e "$dir/no-file" || fail "a file in spite of an error"
refuse 1 "/no/file: cannot create" -i "$four" --format rankfile -o "$dir/no/file"

# every option is in the page
"$tool" --help | sed -nE 's/^ +(-[A-Za-z], )?(--[a-z][a-z_-]+).*/\2/p' | while read -r option; do
    sed 's/\\-/-/g' "${srcdir:-.}/../man/export_tuning.1.in" | grep -qF -e "$option" || fail "export_tuning.1 lacks $option"
done
