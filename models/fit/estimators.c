/* SPDX-License-Identifier: BSD-3-Clause */
/* estimators.c - the numerical tools that formulas are handed. */
#include <config.h>

#include "models/fit/later.h"

#include "models/fit/estimate.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

static double normal_width(double confidence)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence);
}

static const struct hitop_estimators estimators = {.line = hitop_line_two_ends,
                                                   .robust_line = hitop_line_robust,
                                                   .median = hitop_median_of,
                                                   .normal_width = normal_width,
                                                   .segments = hitop_segments,
                                                   .max_rate = hitop_max_rate,
                                                   .later = hitop_later_of,
                                                   .refine_lmo = hitop_lmo_refine};

const struct hitop_estimators *hitop_estimators(void)
{
    return &estimators;
}

struct hitop_estimators hitop_estimators_with(const struct hitop_line_method *method)
{
    struct hitop_estimators out = estimators;

    if (method) {
        out.line = method->through;
    }
    return out;
}

int hitop_line_differs(const struct hitop_line *x, const struct hitop_line *y)
{
    return fabs(x->a - y->a) > 3 * fmax(x->a_se, y->a_se) ||
           fabs(x->b - y->b) > 3 * fmax(x->b_se, y->b_se);
}
