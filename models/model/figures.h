/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURES_H
#define FIGURES_H

/* figures.h - two figures that people know for any formula: latency, and bandwidth of long messages. */

#include "hitop/model.h"

/* Two ranks that meet in a class: those that were measured, else the smallest. */
void hitop_info_class_pair(const struct hitop_model *model, const struct hitop_class *c,
                           int pair[2]);

/* Seconds of an empty message. */
double hitop_info_latency(const struct hitop_model *model, int i, int j);

/* Bytes per second, from half of @p bytes to all of them; infinite where more bytes cost no more. */
double hitop_info_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes);

/*
 * Half of the interval of 95 % of the price of a message, relative to it: from the errors of the parameters, or else from times
 * that the model keeps, straight between two of them. NaN: nothing is known.
 */
double hitop_info_uncertainty(const struct hitop_model *model, int i, int j, size_t bytes);

#endif /* FIGURES_H */
