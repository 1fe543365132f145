/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_two_point.c - the line through the smallest and the largest size.
 *
 * Use:     a quick look, and what older tools did. All other points count for nothing, and a bad
 *          one of the two spoils the line.
 * Source:  A. Lastovetsky, V. Rychkov, M. O'Flynn, MPIBlib: benchmarking MPI communications for
 *          parallel computing on homogeneous and heterogeneous clusters, EuroPVM/MPI (2008).
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "models/fit/line_normal.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

enum hitop_status hitop_line_two_point(const struct hitop_point *points, size_t npoints,
                                       double confidence, struct hitop_line *out,
                                       struct hitop_diag *diag)
{
    const struct hitop_point *low = points, *high = points + (npoints > 0 ? npoints - 1 : 0);
    double width, a, b, a_se, b_se;

    *out = (struct hitop_line){0};
    if (npoints < 2 || low->bytes >= high->bytes) {
        return line_fail_sizes(npoints, diag);
    }
    width = (double)high->bytes - (double)low->bytes;
    b = (high->seconds - low->seconds) / width;
    b_se = hypot(low->se, high->se) / width;
    a = low->seconds - b * (double)low->bytes;
    a_se = hypot(low->se * (double)high->bytes, high->se * (double)low->bytes) / width;
    *out = line_normal(a, a_se, b, b_se, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence));
    return HITOP_OK;
}
