/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAYOUT_H
#define LAYOUT_H

/* layout.h - what is computed once for the drawing of a hierarchy. */

#include "hierarchy/draw/columns.h"
#include "hierarchy/hostlist/host_counter.h"

struct layout {
    const struct hitop_hierarchy *h;
    struct columns columns;
    struct host_counter hosts;
    int one_domain; /* 1: all hosts have the same domain, which is not shown */
};

/* The layout is not valid if memory is insufficient. */
void hitop_layout_begin(struct layout *layout, const struct hitop_hierarchy *h,
                        struct storage *storage);

#endif /* LAYOUT_H */
