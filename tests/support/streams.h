/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STREAMS_H
#define STREAMS_H

/* streams.h - made-up samples and made-up curves of known truth, for tests of estimators. */

#include "hitop/sys/model.h"

#include <gsl/gsl_rng.h>

/* One-way times around 2.7 us, one after another. */
struct stream {
    const char *name;
    double sigma;       /* relative noise */
    double rho;         /* correlation of successive samples of the machine */
    int others;         /* samples of other jobs between two of this one */
    double spikes;      /* share of samples with a heavy tail above them */
    double second_mode; /* share of samples 8 % above the others */
    double clock_step;  /* seconds; 0: exact */
    int batch;          /* round trips between two readings of the clock */
};

/* The next sample. memory begins as a number of the standard normal law. */
double stream_next(const struct stream *s, gsl_rng *rng, double *memory);

/* What the median of endlessly many samples is. */
double stream_median(const struct stream *s);

/* The line for messages below a size; the last one is for those below SIZE_MAX. */
struct protocol {
    size_t below;
    double a, b;
};

enum { CURVE_SIZES = 47 };

/* 0, then two sizes for each doubling up to 8 MiB. */
void curve_sizes(size_t bytes[CURVE_SIZES]);

double curve_seconds(const struct protocol *protocols, size_t bytes);

/*
 * Medians along a curve, sigma being their relative noise and known; a share of bad ones takes 1.5
 * to 10 times as long.
 */
void curve_points(const struct protocol *protocols, const size_t *bytes, size_t n, double sigma,
                  double bad, gsl_rng *rng, struct hitop_point *points);

#endif /* STREAMS_H */
