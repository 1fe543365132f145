/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COSTS_H
#define COSTS_H

/* costs.h - made-up machines for tests of trees, schedules and predictions. */

#include "hitop/cost.h"

/* How many prices were asked for since the test set it to 0. */
extern int costs_asked;

/* Hockney prices, different for every directed pair; a sender is busy until the arrival. */
struct hitop_cost random_cost(int nranks);

enum { LAYERED_MAX = 4096 };

/* 64 hosts in 8 racks, rank r on host r mod 64: only three different prices, with sets. */
struct hitop_cost layered_cost(int nranks);

/* The same prices, where hosts are kinds and there are no sets. */
struct hitop_cost hosts_cost(int nranks);

/*
 * Eight ranks with symmetric latencies of 12 to 59 us and 1 to 9 ns per byte: the data of the
 * worked trees in worked_trees.h.
 */
struct hitop_cost worked_cost(void);

#endif /* COSTS_H */
