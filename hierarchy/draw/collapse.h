/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLAPSE_H
#define COLLAPSE_H

/*
 * collapse.h - which elements of a drawing are collapsed, and down to which depth they are drawn.
 */

#include "hierarchy/draw/draw.h"

#include "hierarchy/tree/element.h"

struct collapse {
    char *is_collapsed;  /* by depth: alike elements of one group are drawn as one */
    int collapses_hosts; /* 1: alike hosts of one group are, at any depth */
    int depth;           /* elements at this depth are drawn without their contents */
};

/*
 * Choose what keeps a drawing within the limits. If that is impossible, element 0 has more rows
 * than the limit afterwards. The choice is not valid if memory is insufficient.
 */
void hitop_collapse_choose(struct collapse *collapse, struct elements *e,
                           const struct hitop_drawing_limits *limits, struct storage *storage);

/* 1 if the contents of an element are drawn. */
int hitop_collapse_is_open(const struct collapse *collapse, const struct element *x);

/* 1 if alike siblings of an element are drawn with it. */
int hitop_collapse_joins(const struct collapse *collapse, const struct element *x);

/* 1 if an element is drawn when the contents of its group are. */
int hitop_collapse_is_drawn(const struct collapse *collapse, const struct elements *e, int index);

#endif /* COLLAPSE_H */
