#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write four-levels.xml, .hosts and .truth: a SimGrid machine whose every link is known.

2 sites x 2 clusters x 4 hosts x 2 ranks. Each group (root, site, cluster, host) has its own latency
and bandwidth. It owns one FATPIPE link, which is the whole route of the pairs that meet in that
group: flows neither share bandwidth nor add latencies, so a message of M bytes takes exactly
latency + (M + 16) / bandwidth (SMPI puts 16 bytes before every message).

usage: make-four-levels.py [FOLDER [HOSTS_PER_CLUSTER RANKS_PER_HOST]]
"""
import os
import sys

# level, group, latency in seconds, bandwidth in bytes per second
ROOT = ("root", "world", 4.83e-3, 0.0937e9)
SITES = {
    "lyon.fr": ("domain", "lyon.fr", 97e-6, 0.71e9),
    "ucd.ie": ("domain", "ucd.ie", 131e-6, 0.53e9),
}
CLUSTERS = {
    ("lyon.fr", "csi"): ("cluster", "csi.lyon.fr", 21.7e-6, 1.19e9),
    ("lyon.fr", "grid"): ("cluster", "grid.lyon.fr", 4.31e-6, 4.7e9),
    ("ucd.ie", "hcl"): ("cluster", "hcl.ucd.ie", 47.9e-6, 0.117e9),
    ("ucd.ie", "mik"): ("cluster", "mik.ucd.ie", 12.3e-6, 2.9e9),
}
LOOPBACK = {"csi": (0.41e-6, 6.1e9), "grid": (0.29e-6, 8.3e9),
            "hcl": (0.83e-6, 2.7e9), "mik": (0.53e-6, 5.3e9)}
HOSTS_PER_CLUSTER = int(sys.argv[2]) if len(sys.argv) > 3 else 4
RANKS_PER_HOST = int(sys.argv[3]) if len(sys.argv) > 3 else 2


def make_hosts():
    """Hosts in rank order: (name, site, cluster, class of its own ranks)."""
    hosts = []
    for site, cluster in CLUSTERS:
        for k in range(1, HOSTS_PER_CLUSTER + 1):
            name = "%s%02d.%s" % (cluster, k, site)
            latency, bandwidth = LOOPBACK[cluster]
            # a few per cent apart, so that no two hosts are alike
            own = ("host", name, latency * (1 + 0.03 * k), bandwidth * (1 - 0.02 * k))
            hosts.append((name, site, cluster, own))
    return hosts


def meet(a, b):
    """The group in which two hosts meet."""
    if a[0] == b[0]:
        return a[3]
    if a[1:3] == b[1:3]:
        return CLUSTERS[a[1:3]]
    return SITES[a[1]] if a[1] == b[1] else ROOT


def write_platform(hosts, out):
    out.write('<?xml version="1.0"?>\n'
              '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
              '<!-- Written by make-four-levels.py; do not edit. -->\n'
              '<platform version="4.1">\n<zone id="world" routing="Full">\n')
    for host in hosts:
        out.write('<host id="%s" speed="1Gf" core="64"/>\n' % host[0])
    groups = [ROOT, *SITES.values(), *CLUSTERS.values(), *(h[3] for h in hosts)]
    for _, group, latency, bandwidth in groups:
        out.write('<link id="%s" latency="%.17gs" bandwidth="%.17gBps" sharing_policy="FATPIPE"/>\n'
                  % (group + "-link", latency, bandwidth))
    for i, a in enumerate(hosts):
        for b in hosts[i:]:
            out.write('<route src="%s" dst="%s"><link_ctn id="%s-link"/></route>\n'
                      % (a[0], b[0], meet(a, b)[1]))
    out.write('</zone>\n</platform>\n')


def write_truth(hosts, out):
    out.write("# level group host_i host_j latency_s bandwidth_Bps\n")
    for i, a in enumerate(hosts):
        for b in hosts[i:]:
            level, group, latency, bandwidth = meet(a, b)
            out.write("%s %s %s %s %.17g %.17g\n"
                      % (level, group, a[0], b[0], latency, bandwidth))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    stem = os.path.join(folder, "four-levels")
    hosts = make_hosts()
    with open(stem + ".xml", "w") as out:
        write_platform(hosts, out)
    with open(stem + ".truth", "w") as out:
        write_truth(hosts, out)
    with open(stem + ".hosts", "w") as out:
        for host in hosts:
            out.write((host[0] + "\n") * RANKS_PER_HOST)


main()
