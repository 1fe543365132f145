/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BINDING_H
#define BINDING_H

/* binding.h - the parts of its host on which the calling process may run. */

#include "hitop/source.h"

enum { BINDING_LEVELS = 64 };

struct binding {
    struct hitop_place place;    /* the numbers of the parts; its host is NULL */
    char levels[BINDING_LEVELS]; /* for source "binding": the levels of the host, outermost first */
    int free_cores; /* cores of a host with several parts if the process may use all; else 0 */
};

/* Find the binding. Cannot fail: unknown values are HITOP_UNBOUND, "" and 0. */
void hitop_binding_find(struct binding *binding);

#endif /* BINDING_H */
