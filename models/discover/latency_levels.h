/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LATENCY_LEVELS_H
#define LATENCY_LEVELS_H

/* latency_levels.h - which of many latencies are the same. */

/* What one host sees of another. */
struct sight {
    int index;     /* of the caller */
    double x, se;  /* logarithm of the latency, its standard error */
    int visits;    /* measurements behind it */
    int level;     /* out: 0 for the nearest */
    double wanted; /* out: relative half width needed to decide; 0 when this is good enough */
};

/*
 * Sort sights by latency and divide them into levels. step is the logarithm of the ratio from which
 * on two levels count as different. Returns the number of levels, at least one for n >= 1.
 */
int hitop_latency_levels_find(struct sight *s, int n, double step);

/* Mark the sights that need more samples before the levels are reliable; returns their number. */
int hitop_latency_levels_doubt(struct sight *s, int n, double step);

/*
 * Join levels that noise can hide: two levels whose cut noise could move half of the sights across.
 * Where noise could move fewer sights, these keep a wanted width. Returns how many decisions about
 * levels remain open: cuts that noise may have made or hidden.
 */
int hitop_latency_levels_give_in(struct sight *s, int n, double step);

/* Median of the sights of a level, and their mean square error as *noise. */
double hitop_latency_level_centre(const struct sight *s, int n, int level, double *noise);

#endif /* LATENCY_LEVELS_H */
