# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# launch.sh - a launch that ends with the script that waits for it. To be sourced; end_launch belongs into a trap.
job=

run_launch() { # run_launch COMMAND...
    "$@" &
    job=$!
    wait "$job"
    job=
}

end_launch() {
    test -z "$job" || kill "$job" 2>/dev/null || :
}
