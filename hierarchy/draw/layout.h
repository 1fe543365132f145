/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAYOUT_H
#define LAYOUT_H

/* layout.h - where the nodes of a hierarchy are drawn, and what need not be said of them. */

#include "hierarchy/draw/columns.h"
#include "hierarchy/hostlist/host_counter.h"

struct layout {
    const struct hitop_hierarchy *h;
    struct columns columns;
    struct host_counter hosts;
    int one_domain; /* all hosts have the same, which need not be shown */
};

/*
 * Only fails with HITOP_ERR_NOMEM, and then without a message. Release with hitop_layout_end() in any
 * case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_layout_begin(struct layout *layout,
                                                      const struct hitop_hierarchy *h);

void hitop_layout_end(struct layout *layout);

#endif /* LAYOUT_H */
