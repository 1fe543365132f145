/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MACHINE_H
#define MACHINE_H

/* machine.h - machines of hosts in sites, drawn at random, for tests of choices. */

#include "hitop/cost.h"

struct machine {
    int nranks, ranks_per_host, hosts_per_site;
    int scattered;                  /* 1: neighbours in rank are on different hosts */
    double latency[3], per_byte[3]; /* on a host, in a site, between sites */
    double busy;                    /* the part of a message for which its sender is busy */
    int two_ports;                  /* 1: its receiver, too */
    double combine;                 /* seconds per byte of a rank's own work */
};

/* Begin a series; prints the seed, which HITOP_TEST_SEED may give. */
void machine_seed(void);

/* A number below `below`. */
int machine_draw(int below);

/* 2 to max_ranks ranks. */
struct machine machine_random(int max_ranks);

/* Borrows the machine. */
struct hitop_cost machine_cost(const struct machine *machine);

#endif /* MACHINE_H */
