/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BINDING_H
#define BINDING_H

/* binding.h - the parts of its host on which the calling process may run. */

#include "hitop/source.h"

enum { BINDING_LEVELS = 64 };

struct binding {
    struct hitop_place place;    /* the parts that contain the binding; host is NULL */
    char levels[BINDING_LEVELS]; /* for source "binding": the levels of the host, outermost first */
    int free_cores; /* cores, if there are several parts and the process may use all; else 0 */
};

/* Find the binding of the calling process. Unknown values are HITOP_UNBOUND, "" and 0. */
void hitop_binding_find(struct binding *binding);

#endif /* BINDING_H */
