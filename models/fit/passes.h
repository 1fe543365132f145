/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PASSES_H
#define PASSES_H

/*
 * passes.h - how many calls of a size are taken in a pass over all sizes.
 *
 * A machine that others use changes its speed for seconds at a time. So calls of a size are spread
 * over several passes, with some time between them, before their times are evaluated.
 */

#include "models/fit/estimate.h"

struct benchmark_passes {
    int wanted;     /* before the first look; 1: as many calls as a look wants in one go */
    int per_pass;   /* calls in each of them, as time allows */
    int warm_again; /* calls that warm up in each further pass, besides the first one of a block */
};

/*
 * The passes and calls for a size.
 *
 * passes  that are wanted
 * call    seconds that a call takes with all that belongs to it
 * budget  seconds for the size
 * slot    seconds of a pass for the size
 */
struct benchmark_passes hitop_benchmark_passes_choose(const struct hitop_stop_rule *rule,
                                                      int passes, double call, double budget,
                                                      double slot);

/* Calls that there should be before the `look`-th look, 1, 2, ...; no more than the rule allows. */
int hitop_benchmark_passes_next(const struct hitop_stop_rule *rule,
                                const struct benchmark_passes *passes, int look);

/* Passes between the look before and the `look`-th one. */
int hitop_benchmark_passes_before(const struct benchmark_passes *passes, int look);

/*
 * Seconds that a size will take: until its interval is narrow enough, or repetitions or the budget
 * are used up.
 *
 * nways    2: two implementations are compared
 * call     as above
 * scatter  standard deviation of the times of calls, relative to their median
 */
double hitop_benchmark_passes_seconds(const struct hitop_stop_rule *rule, int passes, int nways,
                                      double budget, double call, double scatter, double slot);

#endif /* PASSES_H */
