#!/bin/sh
# hierarchical_model under mpirun, killed, terminated, stopped: what was measured is kept, the next run goes on,
# and nothing hangs.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/hierarchical_model
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

fail() {
    echo "FAIL: $*" >&2
    cat "$dir/err" >&2
    exit 1
}

cat >"$dir/h.dot" <<'DOT'
digraph { top [type=1]; 0 [type=0, model_data="h0", rank=0]; 1 [type=0, model_data="h1", rank=1]; 0->top; 1->top; }
DOT
# Each rank prints its process id before it becomes the tool.
# shellcheck disable=SC2016 # expanded by the rank
note_pid='echo $$ >"$0/pid.$$"; exec "$@"'

run() { # run ARGUMENT... ; in the background
    rm -f "$dir"/pid.*
    sh "${srcdir:-.}/support/mpi-run.sh" 2 sh -c "$note_pid" "$dir" "$tool" -C hockney -i "$dir/h.dot" --ignore-hosts \
        -M 64k -e 0.0001 -R 200000 --budget 10min -o "$dir/m.json" --journal "$dir/j" --resume "$@" \
        >"$dir/out" 2>"$dir/err" &
    mpirun=$!
}

await() { # await BATCHES ; until the journal has so many
    tries=0
    until test "$(grep -c '"samples"' "$dir/j" 2>/dev/null || :)" -ge "$1" 2>/dev/null; do
        tries=$((tries + 1))
        test $tries -lt 400 || fail "no $1 batches in the journal"
        sleep 0.1
    done
}

end() { # end ; sets status to that of mpirun
    status=0
    wait $mpirun || status=$?
    test $status != 124 || fail "hangs"
}

# A rank is killed, then all ranks get SIGTERM, then one stops without a message.
run
await 30
kill -KILL "$(cat "$dir"/pid.* | head -1)"
end
test $status != 0 || fail "a rank was killed, but the status is 0"
test -e "$dir/m.json" && fail "a rank was killed, but there is a model"
known=$(grep -c '"samples".*"}$' "$dir/j")

run
await $((known + 30))
# shellcheck disable=SC2046 # two words
kill -TERM $(cat "$dir"/pid.*)
end
test $status = 0 || fail "SIGTERM: status $status"
grep -qF "$dir/j: $known batches of samples are known" "$dir/err" || fail "not $known batches"
grep -q 'SIGTERM ended the measurement with [0-9]* of 10 medians not settled' "$dir/err" || fail "no message"
grep -q '"converged": false' "$dir/m.json" || fail "no model"
known=$(grep -c '"samples"' "$dir/j")

run --watchdog 2s
await $((known + 30))
kill -STOP "$(cat "$dir"/pid.* | tail -1)"
end
test $status = 1 || fail "watchdog: status $status"
grep -q 'nothing has happened for .* s while .*; go on with --journal' "$dir/err" || fail "no message"

export MPI_GRACE=0 # from here on ranks agree before they fail

# A run that finishes; one after it has nothing to do, and comes to the same.
finish() { # finish ARGUMENT... ; soon: either is precise enough, or has the most samples
    status=0
    sh "${srcdir:-.}/support/mpi-run.sh" 2 "$tool" -C hockney -i "$dir/h.dot" --ignore-hosts -M 64k -e 1 \
        -r 20 -R 40 --budget 10min --journal "$dir/k" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status != 124 || fail "hangs"
}
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH
finish -o "$dir/first.json"
test $status = 0 || fail "status $status"
cp "$dir/k" "$dir/before"
finish -o "$dir/again.json" --resume
cmp "$dir/k" "$dir/before" || fail "measured again"
for model in first again; do
    sed '/^  "quality"/d; s/"command": "[^"]*"//' "$dir/$model.json" >"$dir/$model.bare"
done
cmp "$dir/first.bare" "$dir/again.bare" || fail "another model"
unset SOURCE_DATE_EPOCH

case $mpi_yields in
no) test "$(nproc)" -ge 3 || exit 0 ;; # three ranks on two take half a minute
esac

# What scatter and gather take: points that are known are not measured again, others are.
for rank in 0 1 2; do
    echo "$rank [type=0, model_data=\"h$rank\", rank=$rank]; $rank->top;"
done | sed '1s/^/digraph { top [type=1]; /; $s/$/ }/' >"$dir/three.dot"
fans() { # fans ARGUMENT...
    status=0
    sh "${srcdir:-.}/support/mpi-run.sh" 3 "$tool" -C lmo -i "$dir/three.dot" --ignore-hosts --scatter-gather -M 32k -e 1 \
        -r 6 -R 6 --budget 20s --journal "$dir/fans" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status = 0 || fail "fans: status $status"
}
fans -o "$dir/fans.json"
cp "$dir/fans" "$dir/before"
for kind in scatter gather; do
    test "$(grep -c "\"found\":\"$kind\"" "$dir/fans")" = 8 || fail "not eight sizes of $kind in the journal"
done
fans -o "$dir/fans2.json" --resume
found_in() { # found_in JOURNAL ; links may have been measured again, as samples of a busy machine are suspicious
    grep '"found"' "$1" >"$1.found"
}
found_in "$dir/fans"
found_in "$dir/before"
cmp "$dir/fans.found" "$dir/before.found" || fail "scatter and gather measured again"
grep -q "batches of samples are known, and $(grep -c '"found"' "$dir/fans") findings$" "$dir/err" || fail "no findings"
for model in fans fans2; do
    grep '"collective"' "$dir/$model.json" >"$dir/$model.collective"
done
cmp "$dir/fans.collective" "$dir/fans2.collective" || fail "the same points, but other sizes"
grep -v '"found":"gather","bytes":8192,' "$dir/before" >"$dir/fans"
fans -o "$dir/fans2.json" --resume
grep '"found"' "$dir/fans" | sed 's/,"seconds.*//' | sort >"$dir/now"
grep '"found"' "$dir/before" | sed 's/,"seconds.*//' | sort | cmp - "$dir/now" || fail "not the lost point"
