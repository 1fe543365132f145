/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_SAMPLE_H
#define VALIDATE_SAMPLE_H

/* validate_sample.h - what validate_model has measured of one message, made up. */

#include "models/validate/judge.h"

#include <math.h>

/*
 * Between ranks 0 and 1, of 2 us that are predicted `ratio` times as long; the halves are as far
 * apart as noise says. What it is of is left to the test.
 */
static inline struct validate_sample timed_sample(double ratio, double noise)
{
    return (struct validate_sample){.name = "",
                                    .rank = {0, 1},
                                    .predicted = 2e-6 * ratio,
                                    .predicted_se = NAN,
                                    .seconds = 2e-6,
                                    .lo = 1.9e-6,
                                    .hi = 2.1e-6,
                                    .again = {2e-6, 2e-6 * noise}};
}

#endif /* VALIDATE_SAMPLE_H */
