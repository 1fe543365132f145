#!/bin/sh
# Fail when Hitop's segments stay in /dev/shm. Those of other jobs come and go, so that a name counts that is
# there all the time.
# usage: shm-left.sh SECONDS [NAME_THAT_WAS_THERE_BEFORE...]
set -eu
seconds=$1
shift
left=$(find /dev/shm -name 'hitop-*')
while [ -n "$left" ] && [ "$seconds" -gt 0 ]; do
    sleep 1
    seconds=$((seconds - 1))
    left=$(for name in $left; do [ ! -e "$name" ] || echo "$name"; done)
done
for name in $left; do
    case " $* " in
    *" $name "*) ;;
    *)
        echo "left behind: $name" >&2
        exit 1
        ;;
    esac
done
