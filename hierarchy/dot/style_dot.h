/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STYLE_DOT_H
#define STYLE_DOT_H

/* style_dot.h - the style of drawn hierarchies. */

#include "hitop/hierarchy.h"

#include <stdio.h>

enum { STYLE_COLORS = 8 };

/* Default style of leaves and groups; the reader does not keep it as an attribute of a node. */
struct dot_style {
    const char *key, *leaf, *group;
};

/* clang-format off */
#define DOT_STYLES                                                                                 \
    {{"shape", "plaintext", "box"}, {"style", "", "filled,rounded"},                               \
     {"fontname", "Helvetica", "Helvetica"}}

/* Default style of the graph. */
#define DOT_GRAPH_STYLES                                                                           \
    {{"rankdir", "RL"}, {"ordering", "in"}, {"nodesep", "0.06"}, {"ranksep", "0.5"}}
/* clang-format on */

/* The colour of one of n columns; inner columns are lighter. */
const char *hitop_style_color_of_column(int column, int n);

/* 1 if text is one of these colours. */
int hitop_style_is_color(const char *text);

/* Write attributes of the graph, each with ", " before it. */
void hitop_style_put_graph(FILE *to);

/* Write the defaults of nodes and edges. */
void hitop_style_put_defaults(FILE *to);

#endif /* STYLE_DOT_H */
