/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIT_STORE_H
#define FIT_STORE_H

/* fit_store.h - store estimates in the arrays of a fit. */

#include "hitop/sys/model.h"

/* Quantity p: its value, standard error and interval. */
static inline void fit_store(const struct hitop_fit *out, size_t p, double value, double se,
                             double lo, double hi)
{
    out->params[p] = value;
    out->se[p] = se;
    out->lo[p] = lo;
    out->hi[p] = hi;
}

/* Intercept and slope of a line. */
static inline void fit_store_intercept(const struct hitop_fit *out, size_t p,
                                       const struct hitop_line *line)
{
    fit_store(out, p, line->a, line->a_se, line->a_lo, line->a_hi);
}

static inline void fit_store_slope(const struct hitop_fit *out, size_t p,
                                   const struct hitop_line *line)
{
    fit_store(out, p, line->b, line->b_se, line->b_lo, line->b_hi);
}

#endif /* FIT_STORE_H */
