/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEGEND_DOT_H
#define LEGEND_DOT_H

/* legend_dot.h - what colours and lines of a drawing mean. */

#include "hierarchy/draw/columns.h"

#include <stdio.h>

/* What else a drawing has that needs to be explained. */
struct legend {
    const struct columns *columns;
    int last_column; /* levels behind it are not drawn */
    int has_guesses; /* dashed lines */
    int has_stacks;  /* double lines */
    int has_ranks;   /* ranks as nodes of their own */
};

/* An HTML-like label with its <>. */
void hitop_legend_put(FILE *to, const struct legend *legend);

#endif /* LEGEND_DOT_H */
