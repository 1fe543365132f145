/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLAPSE_H
#define COLLAPSE_H

/* collapse.h - which elements are drawn as one, and down to which depth. */

#include "hierarchy/draw/draw.h"

#include "hierarchy/tree/element.h"

struct collapse {
    char *is_collapsed;  /* by depth: alike elements of one group are drawn as one */
    int collapses_hosts; /* alike hosts of one group are, whatever their depth */
    int depth;           /* elements at this depth are drawn without their contents */
};

/*
 * Find what keeps a drawing within the limits. Lines of the root afterwards tell whether it was
 * possible. Only fails with HITOP_ERR_NOMEM, and then without a message.
 */
HITOP_MUST_CHECK enum hitop_status hitop_collapse_choose(struct collapse *collapse,
                                                         struct elements *e,
                                                         const struct hitop_drawing_limits *limits);

/* Are the contents of an element drawn? */
int hitop_collapse_is_open(const struct collapse *collapse, const struct element *x);

/* Are alike siblings of an element drawn with it? */
int hitop_collapse_joins(const struct collapse *collapse, const struct element *x);

/* Is an element drawn, where its group is open? */
int hitop_collapse_is_drawn(const struct collapse *collapse, const struct elements *e, int index);

void hitop_collapse_clear(struct collapse *collapse);

#endif /* COLLAPSE_H */
