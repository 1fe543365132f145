/* SPDX-License-Identifier: BSD-3-Clause */
/* estimators.c - the numerical functions for hitop_model_type.fit(). */
#include <config.h>

#include "models/fit/estimate.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

/*
 * Ratio of the standard errors of the median and of the mean of a normal sample; least half width
 * of an interval in standard errors.
 */
static const double of_median = 1.2533, narrowest = 1.96;

/*
 * The relative error of the shift: a disturbance of both answers shifts neither against the other,
 * so that the shift may be too large by half.
 */
static const double doubt = 0.5;

enum { STEPS = 40 };

/* Standard deviation of single times; 0 when all were equal. */
static double spread(const struct hitop_point *p)
{
    const double se = fmin(p->se, 0.5 * (p->hi - p->lo) / narrowest);

    return fmax(0, se) * sqrt(p->nsamples) / of_median;
}

/* Share of times before x. */
static double before(const struct hitop_point *p, double width, double x)
{
    return width > 0 ? 0.5 * erfc((p->seconds - x) / (width * M_SQRT2)) : x >= p->seconds;
}

/*
 * If F and G are the distribution functions of the two times, the median x of the later one has
 * F(x) G(x) = 1/2. Both are assumed to be normal; their widths follow from the interval of the
 * median and the number of samples.
 */
double hitop_later_of(const struct hitop_point *a, const struct hitop_point *b, double *error)
{
    const double width[] = {spread(a), spread(b)};
    const struct hitop_point *last = a->seconds > b->seconds ? a : b;
    double low = last->seconds, high = low + 2 * (width[0] + width[1]);

    for (int i = 0; i < STEPS && high > low; i++) {
        const double x = 0.5 * (low + high);
        if (before(a, width[0], x) * before(b, width[1], x) < 0.5) {
            low = x;
        } else {
            high = x;
        }
    }
    *error = hypot(last->se, doubt * (low - last->seconds));
    return low;
}

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
