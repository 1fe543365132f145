/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.c - see passes.h. */
#include <config.h>

#include "models/fit/passes.h"

/* Calls of a pass, at least; of a budget, in each pass, for that; for more warm-up than the first
 * call. */
enum { FEWEST = 5, FEWEST_OF_BUDGET = 3, ENOUGH_TO_WARM = 10, WARM_AGAIN = 2 };

struct benchmark_passes hitop_benchmark_passes_choose(const struct hitop_stop_rule *rule,
                                                      int passes, double call, double budget,
                                                      double slot)
{
    struct benchmark_passes p = {.wanted = 1, .per_pass = rule->min_samples};
    const int most = (rule->max_samples + passes - 1) / passes;

    if (passes == 1 || rule->max_samples < passes * FEWEST ||
        call * passes * FEWEST_OF_BUDGET > budget) {
        return p;
    }
    p.wanted = passes;
    p.per_pass = call > 0 && slot < call * most ? (int)(slot / call) : most;
    p.per_pass = p.per_pass < FEWEST ? FEWEST : p.per_pass;
    p.warm_again = call * passes * ENOUGH_TO_WARM > budget ? 0 : WARM_AGAIN;
    return p;
}

int hitop_benchmark_passes_next(const struct hitop_stop_rule *rule,
                                const struct benchmark_passes *passes, int look)
{
    struct hitop_stop_rule spread = *rule;
    const double together = (double)passes->wanted * passes->per_pass;

    if (passes->wanted > 1 && together > spread.min_samples) {
        spread.min_samples = together < spread.max_samples ? (int)together : spread.max_samples;
    }
    return hitop_stop_next(&spread, look);
}

int hitop_benchmark_passes_before(const struct benchmark_passes *passes, int look)
{
    return look == 1 ? passes->wanted : passes->wanted > 3 ? passes->wanted / 2 : 1;
}
