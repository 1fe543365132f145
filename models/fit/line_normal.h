/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINE_NORMAL_H
#define LINE_NORMAL_H

/* line_normal.h - lines whose parameters are not negative and have normally distributed errors;
 * points that fit no line. */

#include "hitop/sys/model.h"

#include <math.h>

/* z: half width of intervals in standard errors. */
static inline struct hitop_line line_normal(double a, double a_se, double b, double b_se, double z)
{
    return (struct hitop_line){.a = fmax(a, 0),
                               .a_se = a_se,
                               .a_lo = fmax(a - z * a_se, 0),
                               .a_hi = fmax(a + z * a_se, 0),
                               .b = fmax(b, 0),
                               .b_se = b_se,
                               .b_lo = fmax(b - z * b_se, 0),
                               .b_hi = fmax(b + z * b_se, 0)};
}

/* The failure of points of one size. */
static inline enum hitop_status line_fail_sizes(size_t npoints, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "line: %zu points have fewer than two different sizes", npoints);
}

#endif /* LINE_NORMAL_H */
