/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_MARGIN_H
#define EXPORT_MARGIN_H

/* export_margin.h - how uncertain a model is. */

#include "hitop/model.h"

#define EXPORT_LEAST_MARGIN 0.05

/* The relative uncertainty of the model for messages of some bytes, at least the least margin. */
double export_margin(const struct hitop_model *model, size_t bytes);

#endif /* EXPORT_MARGIN_H */
