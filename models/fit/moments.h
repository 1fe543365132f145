/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MOMENTS_H
#define MOMENTS_H

/*
 * moments.h - weighted moments of points, updated one by one.
 *
 * Sums of squares of sizes up to 2^40 would cancel; deviations from running means do not.
 */

struct moments {
    double w, mean_x, mean_y, sxx, sxy, syy; /* of deviations from the means */
    double wxx, wxy, wyy;                    /* of the values themselves */
};

static inline void moments_add(struct moments *m, double x, double y, double w)
{
    const double dx = x - m->mean_x, dy = y - m->mean_y;

    m->w += w;
    m->mean_x += dx * w / m->w;
    m->mean_y += dy * w / m->w;
    m->sxx += w * dx * (x - m->mean_x);
    m->sxy += w * dx * (y - m->mean_y);
    m->syy += w * dy * (y - m->mean_y);
    m->wxx += w * x * x;
    m->wxy += w * x * y;
    m->wyy += w * y * y;
}

#endif /* MOMENTS_H */
