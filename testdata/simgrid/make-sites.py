#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write sites.xml and the host files block, robin and random: sites with narrow ways between them.

8 sites x 8 hosts x 4 ranks. Every host has a network card, every site one way to the others that is
25 times as slow; both are full duplex and shared by all messages that use them at the same time.
Ranks of one host share its memory.

usage: make-sites.py FOLDER [SITES HOSTS_PER_SITE RANKS_PER_HOST]
"""
import os
import random
import sys

SITES, HOSTS, RANKS = (int(w) for w in sys.argv[2:5]) if len(sys.argv) > 4 else (8, 8, 4)

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="world" routing="Floyd">
"""


def main():
    folder = sys.argv[1]
    names = [["s%d-%d" % (s, h) for h in range(HOSTS)] for s in range(SITES)]
    with open(os.path.join(folder, "sites.xml"), "w") as out:
        out.write(PLATFORM)
        for s in range(SITES):
            out.write('<cluster id="s%d" prefix="s%d-" suffix="" radical="0-%d" speed="1Gf" bw="1.25GBps" lat="10us"'
                      ' sharing_policy="SPLITDUPLEX" loopback_bw="5GBps" loopback_lat="500ns" router_id="router%d"/>\n'
                      % (s, s, HOSTS - 1, s))
        out.write('<zone id="core" routing="Full"><router id="center"/></zone>\n')
        for s in range(SITES):
            out.write('<link id="way%d" bandwidth="50MBps" latency="250us" sharing_policy="SPLITDUPLEX"/>\n' % s)
        for s in range(SITES):
            out.write('<zoneRoute src="s%d" dst="core" gw_src="router%d" gw_dst="center" symmetrical="NO">'
                      '<link_ctn id="way%d" direction="UP"/></zoneRoute>\n' % (s, s, s))
            out.write('<zoneRoute src="core" dst="s%d" gw_src="center" gw_dst="router%d" symmetrical="NO">'
                      '<link_ctn id="way%d" direction="DOWN"/></zoneRoute>\n' % (s, s, s))
        out.write("</zone>\n</platform>\n")
    block = [name for site in names for name in site for _ in range(RANKS)]
    hosts = [name for site in names for name in site]
    robin = [name for _ in range(RANKS) for h in range(HOSTS) for name in [names[s][h] for s in range(SITES)]]
    mixed = list(block)
    random.Random(1).shuffle(mixed)
    assert sorted(robin) == sorted(block) and len(hosts) * RANKS == len(block)
    for word, order in (("block", block), ("robin", robin), ("random", mixed)):
        with open(os.path.join(folder, word + ".hosts"), "w") as out:
            out.write("\n".join(order) + "\n")


main()
