/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TWO_ENDS_H
#define TWO_ENDS_H

/*
 * two_ends.h - latency from short messages, time per byte from long ones.
 *
 * A change of protocol or of cache between the two spoils neither; the sizes in between fit less well.
 */

#include "hitop/sys/model.h"

/*
 * out->a is the intercept of the messages within a quarter of the fastest time, out->b the slope of those
 * of eight times it; each of three points at least.
 */
enum hitop_status fit_two_ends(const struct hitop_curve *curve, double confidence,
                               const struct hitop_estimators *tools, struct hitop_line *out,
                               struct hitop_diag *diag);

#endif /* TWO_ENDS_H */
