#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write star.xml and star.hosts: hosts with a cable each to one switch, for SimGrid.

A cable has 5 us and 1 GB/s in each direction. With a backbone all messages also cross one wire of that
bandwidth, which they share.

usage: make-star.py FOLDER HOSTS [BACKBONE_BPS]
"""
import os
import sys


def main():
    folder, hosts = sys.argv[1], int(sys.argv[2])
    backbone = sys.argv[3] if len(sys.argv) > 3 else None
    shared = ' bb_bw="%sBps" bb_lat="0s" bb_sharing_policy="SHARED"' % backbone if backbone else ""
    with open(os.path.join(folder, "star.xml"), "w") as out:
        out.write('<?xml version="1.0"?>\n'
                  '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                  '<platform version="4.1">\n'
                  '<cluster id="star" prefix="s" suffix="" radical="1-%d" speed="1Gf" '
                  'bw="1000000000Bps" lat="5us" sharing_policy="SPLITDUPLEX"%s/>\n'
                  '</platform>\n' % (hosts, shared))
    with open(os.path.join(folder, "star.hosts"), "w") as out:
        out.writelines("s%d\n" % (k + 1) for k in range(hosts))


main()
