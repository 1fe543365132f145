# SPDX-License-Identifier: BSD-3-Clause
#
# Checks a cluster's description strictly; prints it as the plan the other parts read.
#
#   awk -v file=NAME -f vc-config.awk CONFIG
#
# The plan has one fact per line, words separated by one blank:
#   host NAME SITE ADDRESS SLOTS
#   link SITE SITE LATENCY_NS BYTES_PER_SECOND      (0 bytes per second = unlimited)
#   topology HOST LINE SYNTHETIC...
# The first mistake ends the reading with "NAME:LINE: what is wrong" on stderr, status 3.

BEGIN {
    max_hosts = 128 # as many as the delay line has ports
    if (file == "") file = "-"
}

function fail(line, text) {
    printf "%s:%d: %s\n", file, line, text > "/dev/stderr"
    failed = 1
    exit 3
}

# Splits "key=value" words from field number `first` on into option[key].
function read_options(first, allowed,    i, at, key) {
    split("", option)
    for (i = first; i <= NF; i++) {
        at = index($i, "=")
        key = substr($i, 1, at - 1)
        if (at == 0 || index(" " allowed " ", " " key "=VALUE ") == 0)
            fail(NR, "unknown word '" $i "'; allowed here: " allowed)
        if (key in option)
            fail(NR, key " is given twice")
        option[key] = substr($i, at + 1)
    }
}

# Value of a number with one of two units, in the smaller unit; the larger is 1000 times that.
function quantity(key, small, large, most,    text, value) {
    text = option[key]
    if (text !~ "^[0-9]+(\\.[0-9]+)?(" small "|" large ")$")
        fail(NR, key "=" text " is not a number followed by " small " or " large)
    value = text + 0
    if (index(text, large)) value *= 1000
    if (value > most)
        fail(NR, key "=" text " is above " most small)
    return value
}

function read_host() {
    if (NF < 2) fail(NR, "host needs a name")
    if ($2 !~ /^[A-Za-z0-9][A-Za-z0-9.-]*$/ || length($2) > 63 || $2 == "localhost")
        fail(NR, "'" $2 "' cannot be a host name")
    if ($2 in host_line)
        fail(NR, "host " $2 " is already described in line " host_line[$2])
    if (hosts == max_hosts) fail(NR, "more than " max_hosts " hosts")
    read_options(3, "site=VALUE slots=VALUE")
    if (!("site" in option)) fail(NR, "host " $2 " has no site=VALUE")
    if (option["site"] !~ /^[A-Za-z0-9][A-Za-z0-9._-]*$/ || length(option["site"]) > 63)
        fail(NR, "'" option["site"] "' cannot be a site name")
    if (!("slots" in option)) option["slots"] = 1
    if (option["slots"] !~ /^[0-9]+$/ || option["slots"] + 0 < 1 || option["slots"] + 0 > 256)
        fail(NR, "slots=" option["slots"] " is not a number from 1 to 256")
    host_line[$2] = NR
    if (!(option["site"] in site_number)) site_number[option["site"]] = ++sites
    address = "10.77." site_number[option["site"]] "." ++members[option["site"]]
    plan[++facts] = "host " $2 " " option["site"] " " address " " (option["slots"] + 0)
    hosts++
}

function read_link(    latency, bandwidth) {
    if (NF < 4) fail(NR, "link needs two sites and latency=VALUE, bandwidth=VALUE or both")
    read_options(4, "latency=VALUE bandwidth=VALUE")
    if (($2, $3) in link_line)
        fail(NR, "link " $2 " " $3 " is already described in line " link_line[$2, $3])
    latency = bandwidth = 0
    if ("latency" in option) latency = quantity("latency", "us", "ms", 10000000)
    if ("bandwidth" in option) {
        bandwidth = quantity("bandwidth", "Mbit", "Gbit", 1000000)
        if (bandwidth == 0) fail(NR, "bandwidth=" option["bandwidth"] " must be above 0")
    }
    link_line[$2, $3] = link_line[$3, $2] = NR
    link_site[++links] = $2
    link_site[++links] = $3
    plan[++facts] = sprintf("link %s %s %.0f %.0f", $2, $3, latency * 1000, bandwidth * 125000)
}

function read_topology(    i, text) {
    if (NF < 3) fail(NR, "topology needs a host and an hwloc synthetic description")
    if ($2 in topology_line)
        fail(NR, "topology of " $2 " is already described in line " topology_line[$2])
    topology_line[$2] = NR
    for (i = 3; i <= NF; i++) text = text " " $i
    plan[++facts] = "topology " $2 " " NR text
}

{ sub(/#.*/, "") }
NF == 0 { next }
$1 == "host" { read_host(); next }
$1 == "link" { read_link(); next }
$1 == "topology" { read_topology(); next }
{ fail(NR, "unknown word '" $1 "'; allowed here: host link topology") }

END {
    if (failed) exit 3
    if (hosts == 0) fail(NR, "no host is described")
    for (i = 1; i <= links; i++)
        if (!(link_site[i] in site_number)) {
            other = link_site[i % 2 ? i + 1 : i - 1]
            fail(link_line[link_site[i], other], "no host is in site '" link_site[i] "'")
        }
    for (name in topology_line)
        if (!(name in host_line))
            fail(topology_line[name], "topology of '" name "', which is not a host")
    for (i = 1; i <= facts; i++) print plan[i]
}
