/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_IMPL_H
#define FABRIC_IMPL_H

/* fabric_impl.h - the two steps of finding groups in a fabric: at one switch, between switches. */

#include "hierarchy/sources/fabric.h"

/*
 * The innermost layer, and what hosts miss of it, one number each. HITOP_ERR_NOMEM without a message;
 * clear both in any case.
 */
enum hitop_status fabric_find_innermost(const struct fabric *f, struct fabric_layer *out,
                                        int **missing);

void fabric_layer_clear(struct fabric_layer *layer);

#endif /* FABRIC_IMPL_H */
