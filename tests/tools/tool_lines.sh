#!/bin/sh
# A line on standard error is one write, so that lines of ranks do not mix: a socket keeps writes apart as packets. Lines
# longer than 128 bytes, of which fprintf() makes several writes since glibc 2.37.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
command -v python3 >/dev/null || exit 77

cat >"$dir/packets.py" <<'END'
import socket, subprocess, sys

ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
theirs.close()
ours.setblocking(False)
packets = []
try:
    while True:
        packets.append(ours.recv(65536))
        if not packets[-1]:
            packets.pop()
            break
except (BlockingIOError, ConnectionResetError):
    pass
text = b"".join(packets)
sys.exit(0 if packets and len(text) > 160 and all(p.endswith(b"\n") for p in packets) else f"{packets}")
END

long=$(printf '%0180d' 0)
for command in "predict_collective -O bcast -i $dir/$long" "generate_hierarchy --check $dir/$long" "export_tuning --format rankfile -i $dir/$long"; do
    # shellcheck disable=SC2086 # words
    python3 "$dir/packets.py" $bin/$command 2>"$dir/err" || fail "$command: $(cat "$dir/err")"
done
