/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suspect.c - points that some passing disturbance has spoilt.
 *
 * Idea:  a change of protocol shifts all points on one side of it, a disturbance one point only. So
 *        a point is suspect when it fits neither the line through the two points below it nor the
 *        line through the two points above it. Measuring it again beats weighing it down.
 */
#include <config.h>

#include "models/measure/measure_impl.h"

#include <math.h>

/* Whether p is more than five standard errors off the line through x and y. */
static int is_off(const struct hitop_point *x, const struct hitop_point *y,
                  const struct hitop_point *p)
{
    const double share =
        ((double)p->bytes - (double)x->bytes) / ((double)y->bytes - (double)x->bytes);
    const double expected = x->seconds + share * (y->seconds - x->seconds);
    const double error = hypot(p->se, hypot((1 - share) * x->se, share * y->se));

    return fabs(p->seconds - expected) > 5 * error;
}

int hitop_find_suspect(const struct hitop_point *points, int n, int first)
{
    for (int i = first > 2 ? first : 2; i + 2 < n; i++) {
        if (is_off(&points[i - 2], &points[i - 1], &points[i]) &&
            is_off(&points[i + 1], &points[i + 2], &points[i])) {
            return i;
        }
    }
    return n;
}
