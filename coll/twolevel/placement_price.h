/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLACEMENT_PRICE_H
#define HITOP_PLACEMENT_PRICE_H

/* placement_price.h - a model from a hierarchy of hosts whose groups somebody can price. */

#include "hitop/model.h"

/* Set what is known of the links in group `node` of `h`: at least c->params. */
typedef void hitop_price_group(const void *context, const struct hitop_hierarchy *h, int node,
                               struct hitop_class *c);

/* A model of `type` with one class for each group of two or more members. */
enum hitop_status hitop_placement_price(const char *type, const struct hitop_hierarchy *h,
                                        hitop_price_group *price, const void *context,
                                        struct hitop_model **out, struct hitop_diag *diag);

#endif /* HITOP_PLACEMENT_PRICE_H */
