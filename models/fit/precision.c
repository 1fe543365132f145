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

struct hitop_mean hitop_precision_check(const struct hitop_precision *p, const double *samples,
                                        int n)
{
    struct hitop_mean out = {.mean = gsl_stats_mean(samples, 1, (size_t)n)};

    if (n > 1) {
        out.ci = hitop_student_width(p->cl, n) * gsl_stats_sd_m(samples, 1, (size_t)n, out.mean) /
                 sqrt(n);
    }
    out.converged = n >= FEWEST && n >= p->min_reps && out.ci < p->eps * out.mean;
    out.finished = n >= p->max_reps || out.converged;
    return out;
}
