/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BINDING_H
#define BINDING_H

/* binding.h - which parts of its host the calling process may run on. */

#include "hitop/source.h"

enum { BINDING_LEVELS = 64 };

struct binding {
    struct hitop_place place;    /* the numbers of the parts; its host is NULL */
    char levels[BINDING_LEVELS]; /* for source "binding": the levels of the host, outermost first */
    int free_cores; /* cores for this process, if they are in several parts and it may use all; else 0 */
};

/* Ask the operating system. Cannot fail: what is not known is HITOP_UNBOUND, "" and 0. */
void hitop_binding_find(struct binding *binding);

#endif /* BINDING_H */
