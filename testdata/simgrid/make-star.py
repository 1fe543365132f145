#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write star.xml, .hosts and .truth: hosts with a cable each to one switch, for SimGrid.

A cable has 5 us and 1 GB/s in each direction, shared by all messages that cross it. Ranks of one host, dealt round
robin, are 0.5 us and 5 GB/s apart. With a backbone of more than 0 B/s all messages also cross one wire of that
bandwidth, which they share. The truth is that of one message alone.

usage: make-star.py FOLDER HOSTS [BACKBONE_BPS [RANKS_PER_HOST]]
"""
import os
import sys


def main():
    folder, hosts = sys.argv[1], int(sys.argv[2])
    backbone = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    ranks = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    shared = ' bb_bw="%dBps" bb_lat="0s" bb_sharing_policy="SHARED"' % backbone if backbone else ""
    with open(os.path.join(folder, "star.xml"), "w") as out:
        out.write('<?xml version="1.0"?>\n'
                  '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                  '<platform version="4.1">\n'
                  '<cluster id="star" prefix="s" suffix="" radical="1-%d" speed="1Gf" '
                  'bw="1000000000Bps" lat="5us" sharing_policy="SPLITDUPLEX" '
                  'loopback_bw="5000000000Bps" loopback_lat="0.5us"%s/>\n'
                  '</platform>\n' % (hosts, shared))
    with open(os.path.join(folder, "star.hosts"), "w") as out:
        out.writelines("s%d\n" % (k + 1) for k in list(range(hosts)) * ranks)
    with open(os.path.join(folder, "star.truth"), "w") as out:
        out.write("# level group host_i host_j latency_s bandwidth_Bps\n")
        for i in range(1, hosts + 1):
            out.write("host s%d s%d s%d 0.5e-6 5e9\n" % (i, i, i))
            out.writelines("root star s%d s%d 10e-6 1e9\n" % (i, j) for j in range(i + 1, hosts + 1))


main()
