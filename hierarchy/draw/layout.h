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

/*
 * Only fails with HITOP_ERR_NOMEM, and then without a message. Release with hitop_layout_end() in
 * any case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_layout_begin(struct layout *layout,
                                                      const struct hitop_hierarchy *h);

void hitop_layout_end(struct layout *layout);

#endif /* LAYOUT_H */
