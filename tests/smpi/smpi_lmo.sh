#!/bin/sh
# Twelve hosts at two sites whose processors differ: six triples for each give the times of each, so that the
# prices of all pairs are right, of which three were measured.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
SMPI_SEND=eager
export SMPI_SEND

# Messages do not disturb each other, as the model has it: wires that hold any number of them.
python3 - "$dir" <<'END'
import sys
hosts = ["n%d.%s.org" % (i, "alpha" if i < 6 else "beta") for i in range(12)]
with open(sys.argv[1] + "/m.hosts", "w") as out:
    out.writelines(host + "\n" for host in hosts)
with open(sys.argv[1] + "/m.xml", "w") as out:
    out.write('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
              '<platform version="4.1">\n<zone id="world" routing="Full">\n')
    for host in hosts:
        out.write('<host id="%s" speed="1Gf" core="4"/>\n' % host)
    for name, latency, bandwidth in ("alpha", 20, 1000), ("beta", 25, 800), ("far", 60, 400):
        out.write('<link id="%s" latency="%dus" bandwidth="%dMBps" sharing_policy="FATPIPE"/>\n'
                  % (name, latency, bandwidth))
    for i in range(12):
        for j in range(i + 1, 12):
            link = "alpha" if j < 6 else "beta" if i >= 6 else "far"
            out.write('<route src="%s" dst="%s"><link_ctn id="%s"/></route>\n' % (hosts[i], hosts[j], link))
    out.write("</zone>\n</platform>\n")
END

run() { # run PROGRAM ARGUMENT...
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/m.xml" "$dir/m.hosts" 12 "$@"
}

check() { # check FOR_PRICES FOR_PROCESSORS: largest relative errors allowed
    python3 - "$dir/m.json" "$@" <<'END'
import json, statistics, sys
model = json.load(open(sys.argv[1]))
for_prices, for_processors = float(sys.argv[2]), float(sys.argv[3])
C = [1e-6 * (3 + i * 5 % 7) for i in range(12)]
t = [1e-9 * (0.2 + 0.1 * (i * 3 % 5)) for i in range(12)]
links = [(20e-6 + 16 / 1e9, 1 / 1e9), (25e-6 + 16 / 8e8, 1 / 8e8), (60e-6 + 16 / 4e8, 1 / 4e8)]
found = {p["rank"]: p for p in model["processors"]}
assert sorted(found) == list(range(12)), "not all processors"
classes = {tuple(c["pair"]): c for c in model["classes"]}
L = [classes[pair] for pair in ((0, 1), (6, 7), (0, 6))]
assert len(classes) == 3, "not three groups"
prices = []
for i in range(12):
    for j in range(i + 1, 12):
        k = 0 if j < 6 else 1 if i >= 6 else 2
        for m in (0, 1, 1000, 20000, 204800, 1000000):
            wanted = C[i] + C[j] + links[k][0] + m * (t[i] + t[j] + links[k][1])
            got = (found[i]["C"] + found[j]["C"] + L[k]["L"]
                   + m * (found[i]["t"] + found[j]["t"] + L[k]["beta"]))
            prices.append(abs(got / wanted - 1))
worst = max(max(abs(found[i]["C"] / C[i] - 1), abs(found[i]["t"] / t[i] - 1)) for i in range(12))
of_links = max(max(abs(L[k]["L"] / links[k][0] - 1), abs(L[k]["beta"] / links[k][1] - 1)) for k in range(3))
print("prices: worst %.2g %%, median %.2g %%; C and t: worst %.2g %%; L and beta: worst %.2g %%" % (
    100 * max(prices), 100 * statistics.median(prices), 100 * worst, 100 * of_links))
sys.exit(max(prices) > for_prices or max(worst, of_links) > for_processors)
END
}

measure() { # measure OPTION...
    run ./smpi_slow_hosts -q -C lmo -i "$dir/h.dot" -o "$dir/m.json" -M 64KiB -S 32KiB --budget 600s "$@"
}

run ../tools/generate_hierarchy -o "$dir/h.dot"
measure -r 6
check 1e-6 1e-6

# With noise of 10 % in all processors: as well as the medians are known, which is to 1 %.
HITOP_TEST_NOISE=0.1
export HITOP_TEST_NOISE
measure -e 0.01
check 0.01 0.1
