/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LATENCY_TABLE_H
#define LATENCY_TABLE_H

/* latency_table.h - what is known about the pairs of hosts that were measured. */

#include "hitop/sys/model.h"

enum { LATENCY_VISITS = 5 };

/* A pair; times as logarithms of seconds, so that differences are ratios. */
struct latency {
    int a, b;   /* a < b */
    int visits; /* measurements made of it; 0: none */
    double x[LATENCY_VISITS], se[LATENCY_VISITS];
};

struct latency_table {
    struct latency *slot; /* open addressing; visits == 0: free */
    int room, npairs;
};

/* What a pair is worth: its logarithm and the standard error of that. */
struct latency_value {
    double x, se;
    int visits;
};

/* Add a visit. 0 when out of memory. */
int hitop_latency_table_add(struct latency_table *t, int a, int b, const struct hitop_point *point);

/* All visits to a pair together; visits is 0 for a pair never measured. */
struct latency_value hitop_latency_table_get(const struct latency_table *t, int a, int b);

void hitop_latency_table_clear(struct latency_table *t);

#endif /* LATENCY_TABLE_H */
