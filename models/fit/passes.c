/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.c - see passes.h. */
#include <config.h>

#include "models/fit/passes.h"

#include <math.h>

/*
 * A pass has at least FEWEST calls. If the budget does not allow FEWEST_OF_BUDGET calls per pass,
 * there is one pass. If it allows ENOUGH_TO_WARM, WARM_AGAIN calls warm up each further pass.
 */
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

double hitop_benchmark_passes_seconds(const struct hitop_stop_rule *rule, int passes, int nways,
                                      double budget, double call, double scatter, double slot)
{
    enum { WARM_UP = 8, LEAST = 2, QUADS = 12, OF_A_QUAD = 4 }; /* calls; quads and their blocks */
    static const double of_a_median = 1.25; /* its standard error over that of a mean */
    static const double normal = 2;         /* half width of an interval in standard errors */
    const struct benchmark_passes p =
        hitop_benchmark_passes_choose(rule, passes, call, budget, slot);
    const double wanted = pow(of_a_median * normal * scatter / fmax(rule->eps, 1e-6), 2);
    double calls = fmax(wanted, hitop_benchmark_passes_next(rule, &p, 1));

    calls = fmin(calls, rule->max_samples) + WARM_UP + (double)p.wanted * (1 + p.warm_again);
    if (nways > 1) {
        calls = fmax(calls, (double)QUADS * OF_A_QUAD * (1 + rule->min_samples / OF_A_QUAD));
    }
    return fmax(LEAST * call, fmin(calls * call, budget));
}
