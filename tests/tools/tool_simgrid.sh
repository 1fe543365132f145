#!/bin/sh
# hierarchical_model --from-simgrid: latency and bandwidth of routes of a platform file, its groups, what is exported and read
# again, factors, and what is refused.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
tool=$bin/hierarchical_model
grid=${srcdir:-.}/../testdata/simgrid/grid.xml

if ! "$tool" --from-simgrid "$grid" --ranks-per-host 0 -o "$dir/grid.json" --annotate "$dir/grid.dot" 2>"$dir/err"; then
    grep -q 'configure did not find expat' "$dir/err" && exit 77
    fail "$(cat "$dir/err")"
fi
grep -q 'grid.xml: 18 ranks; latency x 1, bandwidth x 1 (CM02)$' "$dir/err" || fail "$(cat "$dir/err")"
grep -q warning "$dir/err" && fail "$(cat "$dir/err")"
"$bin/generate_hierarchy" --check "$dir/grid.dot" || fail "a wrong hierarchy"
"$bin/model_info" "$dir/grid.json" --matrix latency >"$dir/latency"
"$bin/model_info" "$dir/grid.json" --matrix bandwidth >"$dir/bandwidth"

near() { # near RANK RANK LATENCY_US BANDWIDTH_MBPS
    for what in latency bandwidth; do
        wanted=$3
        test $what = latency || wanted=$4
        awk -F, -v i="$1" -v j="$2" -v wanted="$wanted" '$1 == i && NR > 1 { x = $(j + 2) / wanted - 1; found = x < 1e-4 && x > -1e-4 } END { exit !found }' \
            "$dir/$what" || fail "$what of $1-$2 is not $wanted: $(cat "$dir/$what")"
    done
}
near 0 1 1 3000      # loopback
near 0 2 210 110     # two links of hosts and a backbone, and the limiter
near 10 11 40 1250   # no backbone
near 12 13 35 312.5  # a cabinet
near 15 16 100 130   # neighbours in a chain
near 15 17 300 130   # its ends
near 0 10 180 110    # two clusters
near 0 12 50170 41.8 # two sites: 4 MiB in two latencies
near 12 15 50120 41.842
sed 's|<prop id="network/model"|<prop id="network/TCP-gamma" value="1e20"/>&|' "$grid" >"$dir/window.xml"
"$tool" --from-simgrid "$dir/window.xml" --ranks-per-host 0 -o "$dir/window.json" -q || fail "a window of 1e20"
"$bin/model_info" "$dir/window.json" --matrix bandwidth >"$dir/bandwidth"
near 0 12 50170 100
sed 's/1e20/0/' "$dir/window.xml" >"$dir/none.xml"
refuse 3 "network/TCP-gamma: '0' is not a number of bytes from 1 on" --from-simgrid "$dir/none.xml" -o "$dir/none.json" -q
rm "$dir/none.xml"
"$bin/predict_collective" -i "$dir/grid.json" -O bcast --sizes 1k >"$dir/out" || fail "no prediction"

# Short links between sites: their hosts are not equally far from other sites.
sed 's/latency="50ms"/latency="1ms"/' "$grid" >"$dir/short.xml"
"$tool" --from-simgrid "$dir/short.xml" -o "$dir/short.json" -q 2>"$dir/err" || fail "$(cat "$dir/err")"
grep -q 'warning: .*short.xml: routes between the same two groups differ by up to [0-9]* %' "$dir/err" || fail "$(cat "$dir/err")"

# A model that is exported and read again is the same to six digits, also with factors by size.
python3 "${srcdir:-.}/../testdata/simgrid/make-twin.py" "$dir"
for formula in hockney piecewise; do
    "$bin/export_tuning" -i "$dir/$formula.json" --format simgrid -o "$dir/twin.xml"
    "$tool" --from-simgrid "$dir/twin.xml" --ranks-per-host 0 -o "$dir/back.json" -q
    tolerance=0.000001
    test $formula = hockney || tolerance=0.001 # the groups share the factors to so much
    "$bin/model_info" "$dir/$formula.json" --diff "$dir/back.json" --tolerance $tolerance --sizes 0,1k,65535,64k,1m >"$dir/diff" ||
        fail "$formula: $(cat "$dir/diff")"
done

# What SimGrid allows: "no" in small letters, empty attributes of clusters, many factors, factors that change below the 16 bytes of
# SMPI, where only the last one is ever used, and factors of the network that SMPI does not take, before its own and after them.
pair() { # pair CONFIG ROUTES...: two hosts a and b with links of 10 and 30 us
    config=$1
    shift
    {
        printf '<platform version="4.1"><config>%s</config><zone id="w" routing="Full"><host id="a" speed="1Gf"/>' "$config"
        printf '<host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="10us"/>'
        printf '<link id="m" bandwidth="1GBps" latency="30us"/>%s</zone></platform>\n' "$*"
    } >"$dir/pair.xml"
    "$tool" --from-simgrid "$dir/pair.xml" -o "$dir/pair.json" 2>"$dir/err" || fail "$config $*: $(cat "$dir/err")"
    "$bin/model_info" "$dir/pair.json" --matrix latency >"$dir/latency"
    "$bin/model_info" "$dir/pair.json" --matrix bandwidth >"$dir/bandwidth"
}
route='<route src="a" dst="b"><link_ctn id="l"/></route>'
pair '' '<route src="a" dst="b" symmetrical="no"><link_ctn id="l"/></route>' \
    '<route src="b" dst="a" symmetrical="no"><link_ctn id="m"/></route>'
near 0 1 20 1000
many=$(awk 'BEGIN { for (f = 0; f < 2; f++) for (i = 0; i < 64; i++) printf "%s%d:1", i ? ";" : f ? " " : "", 1000 + 2 * i + f }')
pair "<prop id=\"network/latency-factor\" value=\"${many% *}\"/><prop id=\"network/bandwidth-factor\" value=\"${many#* }\"/>" "$route"
! grep warning "$dir/err" || fail "many factors"
pair '<prop id="smpi/lat-factor" value="0:1;1:2;8:3;15:4;65536:5"/>' "$route"
near 0 1 40.016 1000
smpi='<prop id="smpi/lat-factor" value="2"/>' network='<prop id="network/bandwidth-factor" value="0.5"/>'
pair "$network$smpi" "$route"
near 0 1 20.016 1000
pair "$smpi$network" "$route"
near 0 1 20.016 1000
cat >"$dir/empty.xml" <<'END'
<platform version="4.1"><cluster id="c" prefix="c" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="5us" bb_bw="" bb_lat="0s"
    limiter_link="" loopback_bw="" loopback_lat="" router_id=""/></platform>
END
"$tool" --from-simgrid "$dir/empty.xml" -o "$dir/empty.json" 2>"$dir/err" || fail "empty attributes: $(cat "$dir/err")"

# bad TEXT MESSAGE [LINE]: a platform with this in its zone, refused in line 2 or another
bad() {
    printf '<platform version="4.1"><zone id="w" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>\n%s\n</zone></platform>\n' \
        "$1" >"$dir/bad.xml"
    refuse 3 "bad.xml:${3:-2}: $2" --from-simgrid "$dir/bad.xml" -o "$dir/none.json" -q
    test ! -e "$dir/none.json" || fail "a file in spite of an error"
}
bad '<link id="l" bandwidth="1Gbbs" latency="1us"/>' "<link>: bandwidth: '1Gbbs' is not a bandwidth such as 1.25GBps or 10Gbps"
bad '<link id="l" bandwidth="1Gbps" latency="1 us"/>' "<link>: latency: '1 us' is not a time"
bad '<link id="l" latency="1us"/>' '<link>: attribute bandwidth is missing'
bad '<host id="a" speed="1Gf"/>' "<host>: a second host, router or zone 'a'"
bad '<route src="a" dst="c"/>' "<route>: dst: no host, router or zone 'c' stands before this line"
bad '<route src="a" dst="b"/>' '<route>: no <link_ctn>'
bad '<route src="a" dst="b"><link_ctn id="x"/></route>' "<link_ctn>: no link 'x' stands before this line"
bad '<bypassRoute src="a" dst="b"/>' '<bypassRoute>: not supported, because it can change routes'
bad '<zone id="v" routing="Vivaldi"/>' "<zone>: routing 'Vivaldi' is not supported"
bad '<cluster id="c" prefix="c" suffix="" radical="0-3" bw="1Gbps" lat="1us" topology="TORUS"/>' "<cluster>: topology 'TORUS' is not supported"
bad '<cluster id="c" prefix="c" suffix="" radical="3-0" bw="1Gbps" lat="1us"/>' "<cluster>: radical: '3-0' is not a list such as 0-3,7"
bad '<host id="c">' 'not XML' 3
printf '<platform version="4.1"><zone id="w" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone></platform>\n' >"$dir/bad.xml"
refuse 3 "bad.xml:1: zone 'w': no route from 'a' to 'b'" --from-simgrid "$dir/bad.xml" -o "$dir/none.json" -q
refuse 3 'none.xml: cannot open' --from-simgrid "$dir/none.xml" -o "$dir/none.json" -q
refuse 2 '--from-simgrid measures nothing; it and -i exclude each other' --from-simgrid "$grid" -i x -o "$dir/none.json"
refuse 2 '--ranks-per-host goes with --from-simgrid only' -i x -o "$dir/none.json" --ranks-per-host 2
