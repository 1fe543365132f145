/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRICE_ERROR_H
#define PRICE_ERROR_H

/* price_error.h - how well the price of a message is known. */

#include "hitop/model.h"

/**
 * Standard error in seconds of hitop_model_p2p(), from those of the parameters, taken as independent of each other. 0
 * where @p i equals @p j; NaN where the model has none, as that of a table of times.
 */
double hitop_price_error(const struct hitop_model *model, int i, int j, size_t bytes);

#endif /* PRICE_ERROR_H */
