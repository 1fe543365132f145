/* SPDX-License-Identifier: BSD-3-Clause */
/* streams.c - made-up samples and made-up curves of known truth, for tests of estimators. */
#include <config.h>

#include "tests/support/streams.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include <math.h>

static const double center = 2.7e-6, mode = 1.08;

double stream_next(const struct stream *s, gsl_rng *rng, double *memory)
{
    double t;

    for (int i = 0; i <= s->others; i++) {
        *memory = s->rho * *memory + sqrt(1 - s->rho * s->rho) * gsl_ran_gaussian(rng, 1);
    }
    t = center * exp(s->sigma * *memory);
    if (s->second_mode > 0 && gsl_rng_uniform(rng) < s->second_mode) {
        t *= mode;
    }
    if (s->spikes > 0 && gsl_rng_uniform(rng) < s->spikes) {
        t *= 1 + gsl_ran_pareto(rng, 1.3, 1);
    }
    if (s->clock_step > 0) { /* the clock is read at a random phase of its step */
        const double step = s->clock_step / (2 * s->batch);
        t = step * floor(t / step + gsl_rng_uniform(rng));
    }
    return t;
}

/* Share of samples below t, spikes being above. */
static double distribution(const struct stream *s, double t)
{
    const double low = gsl_cdf_ugaussian_P(log(t / center) / s->sigma);
    const double high = gsl_cdf_ugaussian_P(log(t / (mode * center)) / s->sigma);

    return (1 - s->spikes) * ((1 - s->second_mode) * low + s->second_mode * high);
}

double stream_median(const struct stream *s)
{
    double low = center / 2, high = center * 2;

    while (high - low > 1e-9 * center) {
        const double middle = (low + high) / 2;
        *(distribution(s, middle) < 0.5 ? &low : &high) = middle;
    }
    return low;
}

void curve_sizes(size_t bytes[CURVE_SIZES])
{
    const size_t largest = (size_t)8 << 20;
    size_t n = 0;

    bytes[n++] = 0;
    for (size_t size = 1; size <= largest; size *= 2) {
        bytes[n++] = size;
        if (size > 1 && size < largest) {
            bytes[n++] = size + size / 2;
        }
    }
}

double curve_seconds(const struct protocol *protocols, size_t bytes)
{
    while (bytes >= protocols->below) {
        protocols++;
    }
    return protocols->a + protocols->b * (double)bytes;
}

void curve_points(const struct protocol *protocols, const size_t *bytes, size_t n, double sigma,
                  double bad, gsl_rng *rng, struct hitop_point *points)
{
    for (size_t i = 0; i < n; i++) {
        double t = curve_seconds(protocols, bytes[i]) * exp(gsl_ran_gaussian(rng, sigma));
        if (bad > 0 && gsl_rng_uniform(rng) < bad) {
            t *= 1.5 + 8.5 * gsl_rng_uniform(rng);
        }
        points[i] = (struct hitop_point){.bytes = bytes[i], .seconds = t, .se = sigma * t};
    }
}
