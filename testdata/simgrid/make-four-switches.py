#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write four-switches.xml, .hosts and .truth: a SimGrid machine for which names say nothing.

64 hosts dealt like cards to 4 switches, which hang on one more. Every host has its own cable, whose
latency differs by up to 1 % from that of the others: 1.8 us between hosts of one switch, 3.1 us else.

usage: make-four-switches.py [FOLDER]
"""
import os
import sys

HOSTS = 64
SWITCHES = 4
CABLE = 0.9e-6   # latency in seconds
UPLINK = 0.65e-6
BANDWIDTH = 12.3e9  # bytes per second


def name(k):
    return "node%02d" % (k + 1)


def cable(k):
    return CABLE * (1 + 0.01 * ((k * 37) % HOSTS - HOSTS / 2) / HOSTS)


def write_platform(out):
    out.write('<?xml version="1.0"?>\n'
              '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
              '<!-- Written by make-four-switches.py; do not edit. -->\n'
              '<platform version="4.1">\n<zone id="all" routing="Full">\n')
    for s in range(SWITCHES):
        out.write('<zone id="s%d" routing="Cluster">\n' % s)
        for k in range(s, HOSTS, SWITCHES):
            out.write('<host id="%s" speed="1Gf" core="64"/>\n' % name(k))
            out.write('<link id="%s-cable" latency="%.17gs" bandwidth="%.17gBps" '
                      'sharing_policy="FATPIPE"/>\n' % (name(k), cable(k), BANDWIDTH))
            out.write('<host_link id="%s" up="%s-cable" down="%s-cable"/>\n'
                      % (name(k), name(k), name(k)))
        out.write('<router id="s%d-port"/>\n</zone>\n' % s)
    for s in range(SWITCHES):
        out.write('<link id="s%d-up" latency="%.17gs" bandwidth="%.17gBps" '
                  'sharing_policy="FATPIPE"/>\n' % (s, UPLINK, BANDWIDTH))
    for s in range(SWITCHES):
        for t in range(s + 1, SWITCHES):
            out.write('<zoneRoute src="s%d" dst="s%d" gw_src="s%d-port" gw_dst="s%d-port">'
                      '<link_ctn id="s%d-up"/><link_ctn id="s%d-up"/></zoneRoute>\n'
                      % (s, t, s, t, s, t))
    out.write('</zone>\n</platform>\n')


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    stem = os.path.join(folder, "four-switches")
    with open(stem + ".xml", "w") as out:
        write_platform(out)
    with open(stem + ".hosts", "w") as out:
        out.writelines(name(k) + "\n" for k in range(HOSTS))
    with open(stem + ".truth", "w") as out:
        out.write("# host switch\n")
        out.writelines("%s s%d\n" % (name(k), k % SWITCHES) for k in range(HOSTS))


main()
