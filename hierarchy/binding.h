/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BINDING_H
#define BINDING_H

/* binding.h - which parts of its host the calling process may run on. */

#include "hitop/source.h"

/* Set package, numa and l3 of a place; HITOP_UNBOUND for what the process may leave. Cannot fail. */
void binding_find(struct hitop_place *place);

#endif /* BINDING_H */
