/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.c - see verdict.h.
 *
 * Source:  the estimate and interval of J. L. Hodges, E. L. Lehmann, Estimates of location based on
 *          rank tests, Ann. Math. Stat. 34 (1963): order statistics of the means of all pairs.
 */
#include <config.h>

#include "models/fit/verdict.h"

#include "models/fit/quantile.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_LOOK = 12, MOST_MEANS = VERDICT_MOST_QUADS * (VERDICT_MOST_QUADS + 1) / 2 };

/* Half the width, as a logarithm, of an interval that excludes a difference of a tenth. */
static const double narrow = 0.04;

const char *hitop_benchmark_outcome_name(enum benchmark_outcome outcome)
{
    static const char *const names[] = {
        [VERDICT_FASTER] = "faster",
        [VERDICT_SLOWER] = "slower",
        [VERDICT_NONE] = "no difference shown",
    };

    return names[outcome];
}

int hitop_benchmark_verdict_next(int look)
{
    double n = FIRST_LOOK;

    for (int i = 1; i < look && n < VERDICT_MOST_QUADS; i++) {
        n = ceil(1.5 * n);
    }
    return n < VERDICT_MOST_QUADS ? (int)n : VERDICT_MOST_QUADS;
}

/*
 * The largest k for which the k-th smallest mean is an end of the interval: signed ranks sum up to
 * less than k with a probability of at most (1 - confidence) / 2. 0: there is none. `p` has room
 * for n (n + 1) / 2 + 1.
 */
static int end_of_interval(int n, double confidence, double *p)
{
    const int most = n * (n + 1) / 2;
    double sum = 0;
    int k = 0;

    for (int i = 0; i <= most; i++) {
        p[i] = i == 0;
    }
    for (int rank = 1; rank <= n; rank++) { /* each rank counts with probability 1/2 */
        for (int s = most; s >= 0; s--) {
            p[s] = 0.5 * (p[s] + (s >= rank ? p[s - rank] : 0));
        }
    }
    while (k < most && (sum += p[k]) <= (1 - confidence) / 2) {
        k++;
    }
    return k;
}

enum hitop_status hitop_benchmark_judge(const double *quads, int n, double confidence,
                                        double margin, struct benchmark_verdict *out,
                                        struct hitop_diag *diag)
{
    double *means = malloc((MOST_MEANS + 1) * sizeof(*means));
    int count = 0, k;
    double lo, hi;

    *out = (struct benchmark_verdict){.quads = n, .outcome = VERDICT_NONE};
    if (!means) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for a comparison");
    }
    k = end_of_interval(n, confidence, means);
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            means[count++] = (quads[i] + quads[j]) / 2;
        }
    }
    out->ratio = exp(quantile(means, count, 0.5));
    lo = means[k > 0 ? k - 1 : 0];
    hi = means[count - (k > 0 ? k : 1)];
    free(means);
    out->lo = exp(lo);
    out->hi = exp(hi);
    out->settled = k > 0 && (hi - lo) / 2 <= narrow;
    if (k > 0 && out->hi < 1 && out->ratio < 1 - margin) {
        out->outcome = VERDICT_FASTER;
    } else if (k > 0 && out->lo > 1 && out->ratio > 1 + margin) {
        out->outcome = VERDICT_SLOWER;
    }
    return HITOP_OK;
}
