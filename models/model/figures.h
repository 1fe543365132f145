/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURES_H
#define FIGURES_H

/* figures.h - figures that any formula has: bandwidth of long messages, and how well a price is
 * known. */

#include "hitop/model.h"

/* Two ranks that meet in a class: the measured ones, or else the smallest. */
void hitop_model_class_pair(const struct hitop_model *model, const struct hitop_class *c,
                            int pair[2]);

/* Bytes per second, from half of @p bytes to all of them; infinite where more bytes cost no
 * more. */
double hitop_model_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes);

/*
 * Standard error in seconds of hitop_model_p2p(), from those of the parameters, which are taken as
 * independent. 0 where i equals j; NaN where the model has none, as with a table of times.
 */
double hitop_model_price_error(const struct hitop_model *model, int i, int j, size_t bytes);

/*
 * Half of the 95 % interval of the price of a message, relative to the price: from the errors of
 * the parameters, or else from the times that the model keeps. NaN: unknown.
 */
double hitop_model_uncertainty(const struct hitop_model *model, int i, int j, size_t bytes);

#endif /* FIGURES_H */
