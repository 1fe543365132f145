/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precision.c - repeat until Student's interval of the mean is narrow enough.
 *
 * Formula:  ci = t sd / sqrt(n), t being the quantile (1 + cl) / 2 of Student's law with n - 1
 *           degrees of freedom, so that the interval of both sides holds the mean with probability
 *           cl.
 * Source:   A. Lastovetsky, V. Rychkov and M. O'Flynn, MPIBlib: benchmarking MPI communications for
 *           parallel computing on homogeneous and heterogeneous clusters, EuroPVM/MPI (2008).
 */
#include <config.h>

#include "models/fit/precision.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>

#include <math.h>

/* Two samples may agree by chance. */
enum { FEWEST = 3 };

void hitop_precision_defaults(struct hitop_precision *precision)
{
    *precision = (struct hitop_precision){.min_reps = 5, .max_reps = 100, .cl = 0.95, .eps = 0.025};
}

double hitop_student_width(double cl, int n)
{
    return gsl_cdf_tdist_Pinv(0.5 + 0.5 * cl, n - 1);
}

enum hitop_status hitop_precision_check(const struct hitop_precision *precision,
                                        const double *samples, int n, struct hitop_mean *out,
                                        struct hitop_diag *diag)
{
    const struct hitop_precision *p = precision;

    *out = (struct hitop_mean){.reps = n};
    if (p->min_reps < 1 || p->max_reps < p->min_reps) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "precision: %d to %d repetitions; at least 1, and no more than the maximum",
            p->min_reps, p->max_reps);
    }
    if (!(p->cl > 0 && p->cl < 1) || !(p->eps >= 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "precision: level %g must be between 0 and 1, error %g must be >= 0",
                          p->cl, p->eps);
    }
    if (n < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "precision: %d samples", n);
    }
    out->mean = gsl_stats_mean(samples, 1, (size_t)n);
    if (n > 1) {
        out->sd = gsl_stats_sd_m(samples, 1, (size_t)n, out->mean);
        out->ci = hitop_student_width(p->cl, n) * out->sd / sqrt(n);
    }
    out->converged = n >= FEWEST && n >= p->min_reps && out->ci < p->eps * out->mean;
    out->finished = n >= p->max_reps || out->converged;
    return HITOP_OK;
}
