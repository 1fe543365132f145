/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LOOK_H
#define LOOK_H

/* look.h - where the nodes of a hierarchy are drawn, and what need not be said of them. */

#include "hierarchy/draw/columns.h"
#include "hierarchy/hostlist/host_counter.h"

struct look {
    const struct hitop_hierarchy *h;
    struct columns columns;
    struct host_counter hosts;
    int one_domain; /* all hosts have the same, which need not be shown */
};

/*
 * Only fails with HITOP_ERR_NOMEM, and then without a message. Release with hitop_look_end() in any
 * case.
 */
HITOP_MUST_CHECK enum hitop_status hitop_look_begin(struct look *look,
                                                    const struct hitop_hierarchy *h);

void hitop_look_end(struct look *look);

#endif /* LOOK_H */
