/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_WIRES_H
#define SIM_WIRES_H

/*
 * sim_wires.h - latency and bandwidth of the links of a SimGrid platform, and the factors by which
 * SMPI changes them for messages from a size on.
 *
 * Formula: T(m) = latency * latency_factor(m) + (m + 16) / (bandwidth * bandwidth_factor(m)),
 *          because SMPI puts 16 bytes before each message. A platform has one list of factors, so
 *          that they serve models whose groups all change with the size in the same proportion.
 * Source:  SimGrid 3.32, options smpi/lat-factor and smpi/bw-factor.
 */

#include "hitop/model.h"

enum { SIM_HEADER = 16, SIM_MAX_PIECES = 256 };

struct sim_wire {
    double latency, bandwidth; /* seconds, bytes per second */
};

struct sim_factors {
    int n;                       /* ranges of sizes; 1: all factors are 1 */
    size_t from[SIM_MAX_PIECES]; /* smallest size of each range */
    double latency[SIM_MAX_PIECES];
    double bandwidth[SIM_MAX_PIECES]; /* at most 1 */
    double error; /* largest relative difference of a time of the platform from the model */
};

/* Find the factors of a model; those of a model whose groups differ in proportion are 1. */
void sim_factors_find(const struct hitop_model *model, struct sim_factors *out);

/* The link between two ranks, to which the factors apply. */
struct sim_wire sim_wire_of(const struct hitop_model *model, const struct sim_factors *factors,
                            int a, int b);

#endif /* SIM_WIRES_H */
