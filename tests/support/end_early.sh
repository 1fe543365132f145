# shellcheck shell=sh disable=SC2154,SC2034 # scratch.sh sets dir, others read status
# end_early.sh - sourced after scratch.sh: a job that a signal ends.

# end_early RANKS TOOL ARGUMENT... ; SIGUSR1 goes to all ranks when they have caught it for a second; $status, standard error in $dir/err
end_early() {
    ranks=$1
    shift
    rm -f "$dir"/pid.*
    # shellcheck disable=SC2016 # expanded by the rank
    sh "${srcdir:-.}/support/mpi-run.sh" "$ranks" sh -c 'echo $$ >"$0/pid.$$"; exec "$@"' "$dir" "$@" >"$dir/out" 2>"$dir/err" &
    job=$!
    tries=0
    until [ "$(cat "$dir"/pid.* 2>/dev/null | sed 's,.*,/proc/&/status,' | xargs cat 2>/dev/null | grep -c '^SigCgt:.*[2367abef]..$')" = "$ranks" ]; do
        tries=$((tries + 1))
        test $tries -lt 400 || fail "signals are not caught: $(cat "$dir/err")"
        sleep 0.1
    done
    sleep 1
    # shellcheck disable=SC2046 # words
    kill -USR1 $(cat "$dir"/pid.*)
    status=0
    wait $job || status=$?
}
