/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURES_H
#define FIGURES_H

/* figures.h - bandwidth and uncertainty of messages, computed from prices with any formula. */

#include "hitop/model.h"

/*
 * Two ranks whose link belongs to a class: the measured pair, or else the lowest rank of each of
 * two members.
 */
void hitop_model_class_pair(const struct hitop_model *model, const struct hitop_class *c,
                            int pair[2]);

/* Bytes per second of the second half of @p bytes; infinite where more bytes take no more time. */
double hitop_model_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes);

/*
 * Standard error in seconds of hitop_model_p2p(), from those of the parameters, taken as
 * independent. 0 where i equals j; NaN where a standard error is unknown, as with a table of times.
 */
double hitop_model_price_error(const struct hitop_model *model, int i, int j, size_t bytes);

/*
 * Half of the 95 % interval of the price of a message, relative to the price: from the standard
 * errors of the parameters, or else from the measured times in the model. NaN: unknown.
 */
double hitop_model_uncertainty(const struct hitop_model *model, int i, int j, size_t bytes);

#endif /* FIGURES_H */
