/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STYLE_DOT_H
#define STYLE_DOT_H

/* style_dot.h - how hierarchies are drawn. */

#include "hitop/hierarchy.h"

#include <stdio.h>

enum { STYLE_COLORS = 8 };

/* How nodes look unless they say otherwise: written as a default, not taken for a node's own. */
struct dot_style {
    const char *key, *leaf, *group;
};

/* clang-format off */
#define DOT_STYLES {{"shape", "plaintext", "box"}, {"style", "", "filled,rounded"}, {"fontname", "Helvetica", "Helvetica"}}

/* The same for the graph. */
#define DOT_GRAPH_STYLES {{"rankdir", "RL"}, {"ordering", "in"}, {"nodesep", "0.06"}, {"ranksep", "0.5"}}
/* clang-format on */

/* The colour of a column out of n; each lighter than the one outside it. */
const char *hitop_style_color_of_column(int column, int n);

/* Is this one of these colours? */
int hitop_style_is_color(const char *text);

/* Attributes of the graph, each with ", " before it. */
void hitop_style_put_graph(FILE *to);

/* Statements about all nodes and edges. */
void hitop_style_put_defaults(FILE *to);

#endif /* STYLE_DOT_H */
