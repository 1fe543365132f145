/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEGEND_DOT_H
#define LEGEND_DOT_H

/* legend_dot.h - the explanation of colours and lines in a drawing. */

#include "hierarchy/draw/columns.h"

#include <stdio.h>

/* What the legend has to explain. */
struct legend {
    const struct columns *columns;
    int last_column; /* the innermost level that is drawn */
    int has_guesses; /* dashed lines */
    int has_stacks;  /* double lines */
    int has_ranks;   /* ranks as nodes of their own */
};

/* Write the legend as an HTML-like label with its <>. */
void hitop_legend_put(FILE *to, const struct legend *legend);

#endif /* LEGEND_DOT_H */
