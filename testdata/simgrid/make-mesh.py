#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write mesh.xml, .hosts and .truth: hosts with a wire of its own between each two of them, for SimGrid.

A wire has 1 to 60 us and 0.1 to 2 GB/s, no two alike, the same in both directions and without sharing, so that a
message of M bytes takes exactly latency + (M + 16) / bandwidth.

usage: make-mesh.py FOLDER HOSTS
"""
import os
import random
import sys


def main():
    stem, hosts = os.path.join(sys.argv[1], "mesh"), int(sys.argv[2])
    draw = random.Random(hosts).random
    with open(stem + ".xml", "w") as xml, open(stem + ".truth", "w") as truth:
        xml.write('<?xml version="1.0"?>\n'
                  '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                  '<platform version="4.1">\n<zone id="world" routing="Full">\n')
        xml.writelines('<host id="m%d" speed="1Gf" core="64"/>\n' % k for k in range(hosts))
        truth.write("# level group host_i host_j latency_s bandwidth_Bps\n")
        routes = []
        for i in range(hosts):
            for j in range(i, hosts):
                latency, bandwidth = 1e-6 + 59e-6 * draw(), 0.1e9 * 20 ** draw()
                xml.write('<link id="w%d-%d" latency="%.17gs" bandwidth="%.17gBps" '
                          'sharing_policy="FATPIPE"/>\n' % (i, j, latency, bandwidth))
                routes.append('<route src="m%d" dst="m%d"><link_ctn id="w%d-%d"/></route>\n'
                              % (i, j, i, j))
                truth.write("wire w%d-%d m%d m%d %.17g %.17g\n" % (i, j, i, j, latency, bandwidth))
        xml.writelines(routes)
        xml.write('</zone>\n</platform>\n')
    with open(stem + ".hosts", "w") as out:
        out.writelines("m%d\n" % k for k in range(hosts))


main()
