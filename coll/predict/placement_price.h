/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLACEMENT_PRICE_H
#define HITOP_PLACEMENT_PRICE_H

/* placement_price.h - a model from a hierarchy of hosts whose groups somebody can price. */

#include "hitop/model.h"

/*
 * Set what is known of the links between two members of group `node` of `h`: at least what the type
 * needs of c->params and c->table. Returns 1 when all links of the group are alike.
 */
typedef int hitop_price_links(const void *context, const struct hitop_hierarchy *h, int node,
                              const int member[2], struct hitop_class *c);

/*
 * A model with one class for each group of two or more members, or for each two members of it. parts
 * holds all but the classes.
 */
enum hitop_status hitop_placement_price(const struct hitop_model_parts *parts,
                                        hitop_price_links *price, const void *context,
                                        struct hitop_model **out, struct hitop_diag *diag);

#endif /* HITOP_PLACEMENT_PRICE_H */
