/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LATER_H
#define LATER_H

/* later.h - when the later one of two answers comes. */

#include "hitop/sys/model.h"

/*
 * The median of the later one of two independent times of which the medians are known: where both scatter about the
 * same time it is later than either median, however many samples there are. *error is its standard error.
 */
double hitop_later_of(const struct hitop_point *a, const struct hitop_point *b, double *error);

#endif /* LATER_H */
