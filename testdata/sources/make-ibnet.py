#!/usr/bin/env python3
"""Write ib-*.txt: made-up InfiniBand fabrics in the forms in which ibnetdiscover(8) prints them.

usage: make-ibnet.py [directory]
"""
import os
import sys


class Fabric:
    """Nodes with ports; a cable joins the next free port of each of two nodes."""

    def __init__(self):
        self.nodes = []
        self.lids = 0

    def node(self, kind, ports, description):
        self.lids += 1
        prefix = {"S": 0x2C5EAB0300B80000, "H": 0xE09D730300850000, "R": 0x0002C90300700000}[kind]
        node = {"kind": kind, "ports": ports, "description": description, "lid": self.lids,
                "guid": prefix + 0x40 * self.lids, "peer": {}}
        self.nodes.append(node)
        return node

    def switch(self, name, model="MQM9700", sharp=False):
        switch = self.node("S", 65, f"MF0;{name}:{model}/U1")
        if sharp:
            self.cable(switch, self.node("H", 1, "Mellanox Technologies Aggregation Node"), 65)
        return switch

    def host(self, name, switches, adapter="mlx5_%d"):
        for rail, switch in enumerate(switches):
            self.cable(switch, self.node("H", 1, name + " " + adapter % rail))

    def cable(self, a, b, port=None):
        ends = []
        for node in a, b:
            free = port if port and node is a else next(
                p for p in range(1, node["ports"] + 1) if p not in node["peer"])
            node["peer"][free] = None
            ends.append(free)
        a["peer"][ends[0]] = b, ends[1]
        b["peer"][ends[1]] = a, ends[0]

    def text(self):
        out = ["#", "# Topology file: generated on Tue Mar  4 09:12:47 2025", "#",
               "# Initiated from node e09d730300850080 port e09d730300850080", ""]
        for node in self.nodes:
            kind, word = {"S": ("switch", "Switch"), "H": ("ca", "Ca"), "R": ("rt", "Rt")}[node["kind"]]
            guid = "%x" % node["guid"]
            out += ["vendid=0x2c9", "devid=0xd2f2" if kind == "switch" else "devid=0x1021",
                    f"sysimgguid=0x{guid}",
                    f"{kind}guid=0x{guid}" + (f"({guid})" if kind == "switch" else "")]
            head = f'{word}\t{node["ports"]} "{ident(node)}"\t\t# "{node["description"]}"'
            if kind == "switch":
                head += f' enhanced port 0 lid {node["lid"]} lmc 0'
            out.append(head)
            for port, (peer, far) in sorted(node["peer"].items()):
                out.append(port_line(node, port, peer, far))
            out.append("")
        return "\n".join(out)


    def progress(self):
        """What -s puts before: a line for each node and port that is found."""
        out = []
        for number, node in enumerate(self.nodes):
            kind = {"S": "switch", "H": "ca", "R": "router"}[node["kind"]]
            path = "0" if number == 0 else "0,1,%d" % number
            out.append(f'DR path slid 0; dlid 0; {path} -> {"known" if number % 2 else "new"} remote {kind} '
                       f'{{{node["guid"]:016x}}} portnum {0 if kind == "switch" else 1} '
                       f'lid {node["lid"]}-{node["lid"]} "{node["description"]}"')
        return out

    def ports(self):
        """What -p prints, with few of the ports that have no cable."""
        out = []
        for node in self.nodes:
            last = min(node["ports"], max(node["peer"]) + 1)
            for port in range(last, 0, -1):
                line = "%s 4x %s" % (end(node, port), "NDR" if port in node["peer"] else "???")
                if port in node["peer"]:
                    peer, far = node["peer"][port]
                    out.append(f"{line} - {end(peer, far)} ( '{node['description']}' - '{peer['description']}' )")
                elif port % 32 == 0:
                    out.append(f"{line}{'':36}'{node['description']}'")
        return out


def end(node, port):
    kind = {"S": "SW", "H": "CA", "R": "RT"}[node["kind"]]
    return f'{kind} {node["lid"]:5} {port:2} 0x{node["guid"]:016x}'


def ident(node):
    return "%s-%016x" % (node["kind"], node["guid"])


def port_line(node, port, peer, far):
    near = f"[{port}]" if node["kind"] == "S" else f'[{port}]({node["guid"]:x}) '
    end = f"[{far}]" if peer["kind"] == "S" else f'[{far}]({peer["guid"]:x}) '
    mine = "" if node["kind"] == "S" else f'lid {node["lid"]} lmc 0 '
    return f'{near}\t"{ident(peer)}"{end}\t\t# {mine}"{peer["description"]}" lid {peer["lid"]} 4xNDR'


def one_switch():
    f = Fabric()
    switch = f.node("S", 36, "Infiniscale-IV Mellanox Technologies")
    for n in range(1, 9):
        f.host("node%d" % n, [switch], "HCA-%d")
    return f


def fat_tree():
    """Four leaves, two spines, two cables between each; storage, management and an unnamed adapter."""
    f = Fabric()
    leaves = [f.switch("ibleaf%d" % n, sharp=True) for n in range(1, 5)]
    spines = [f.switch("ibspine%d" % n, sharp=True) for n in range(1, 3)]
    for number, leaf in enumerate(leaves):
        for n in range(8):
            f.host("cn%02d" % (8 * number + n + 1), [leaf])
        for spine in spines * 2:
            f.cable(leaf, spine)
    f.host("oss01", [spines[0], spines[1]])
    f.host("ufm1", [leaves[3]])
    f.cable(leaves[0], f.node("H", 1, "MT4129 ConnectX7   Mellanox Technologies"))
    f.cable(spines[1], f.node("R", 2, "gateway"))
    return f


def pods():
    """Three levels: two pods of two leaves and two spines each, below two cores."""
    f = Fabric()
    cores = [f.switch("core%d" % n) for n in (1, 2)]
    for pod in "ab":
        spines = [f.switch("%s-spine%d" % (pod, n)) for n in (1, 2)]
        for number in (1, 2):
            leaf = f.switch("%s-leaf%d" % (pod, number))
            for n in range(4):
                f.host("%s%02d" % (pod, 4 * number + n - 3), [leaf])
            for spine in spines:
                f.cable(leaf, spine)
        for spine in spines:
            for core in cores:
                f.cable(spine, core)
    return f


def rails():
    """Two units of four hosts with eight adapters, each on its own leaf; one cable is down."""
    f = Fabric()
    spines = [f.switch("spine%d" % n) for n in range(1, 5)]
    for unit in (1, 2):
        leaves = [f.switch("su%d-leaf%d" % (unit, n)) for n in range(1, 9)]
        for n in range(1, 5):
            down = unit == 2 and n == 3
            f.host("dgx%d" % (4 * unit + n - 4), leaves[:7] if down else leaves)
        for leaf in leaves:
            for spine in spines:
                f.cable(leaf, spine)
    return f


def cells():
    """Three cells of two leaves and two spines; spines of all cells are joined, without cores."""
    f = Fabric()
    every = []
    for cell in (1, 2, 3):
        spines = [f.switch("c%d-s%d" % (cell, n), "QM8790") for n in (1, 2)]
        for number in (1, 2):
            leaf = f.switch("c%d-l%d" % (cell, number), "QM8790")
            for n in (1, 2):
                f.host("lrdn%04d" % (100 * cell + 10 * number + n), [leaf])
            for spine in spines:
                f.cable(leaf, spine)
        every += spines
    for i, a in enumerate(every):
        for b in every[i + 1:]:
            if a["description"][:6] != b["description"][:6]:
                f.cable(a, b)
    return f


def irregular():
    """Three old switches in a row, a host at two of them, and an island of two more hosts."""
    f = Fabric()
    row = [f.node("S", 24, "MT47396 Infiniscale-III Mellanox Technologies") for _ in range(3)]
    for number, switch in enumerate(row):
        for n in range(2):
            f.host("w%d" % (2 * number + n + 1), [switch], "HCA-%d")
    f.host("w7", row[:2], "HCA-%d")
    f.cable(row[0], row[1])
    f.cable(row[1], row[2])
    island = f.switch("island", "IS5030")
    for n in (8, 9):
        f.host("w%d.old.example.org" % n, [island], "HCA-%d")
    return f


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for make in one_switch, fat_tree, pods, rails, cells, irregular:
        name = "ib-" + make.__name__.replace("_", "-") + ".txt"
        with open(os.path.join(folder, name), "w", encoding="ascii") as to:
            to.write(make().text())
    for name, lines in (("ib-fat-tree-ports.txt", fat_tree().progress() + fat_tree().ports()),
                        ("ib-rails-ports.txt", rails().ports()),
                        ("ib-cells-progress.txt", cells().progress() + [cells().text()])):
        with open(os.path.join(folder, name), "w", encoding="ascii") as to:
            to.write("\n".join(lines) + "\n")


main()
