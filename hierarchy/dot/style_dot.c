/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * style_dot.c - the style of drawn hierarchies.
 *
 * The root is at the left and ranks are at the right, one per line, so that the width of a drawing
 * depends on the depth of the hierarchy only. Colours go from dark blue to light yellow: they
 * differ in grey, too, and for red-green colour-blind readers.
 */
#include <config.h>

#include "hierarchy/dot/style_dot.h"

#include "hierarchy/dot/dot_text.h"

#include <string.h>

#define FONT "Helvetica,Arial,sans-serif"

static const char *const colors[STYLE_COLORS] = {"#7fb3d9", "#8cc5da", "#9dd3cf", "#b3dec0",
                                                 "#cae8b9", "#dff0bb", "#eff4c6", "#fbf7d9"};

static const struct hitop_attr of_graph[] = {
    {"fontname", FONT, 0},
    {"fontsize", "11", 0},
    {"labelloc", "t", 0},
    {"labeljust", "l", 0},
};

static const struct hitop_attr of_nodes[] = {
    {"fontname", FONT, 0},
    {"fontsize", "11", 0},
    {"height", "0.25", 0},
    {"margin", "0.1,0.03", 0},
};

static const struct hitop_attr of_edges[] = {
    {"dir", "none", 0}, {"color", "#808080", 0}, {"headport", "e", 0}, {"tailport", "w", 0}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void put_all(FILE *to, const struct hitop_attr *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hitop_dot_put_attr(to, i == 0 ? "" : ", ", &list[i]);
    }
}

const char *hitop_style_color_of_column(int column, int n)
{
    return colors[n > 1 ? (int)((long)column * (STYLE_COLORS - 1) / (n - 1)) : STYLE_COLORS / 2];
}

int hitop_style_is_color(const char *text)
{
    int i = 0;

    while (i < STYLE_COLORS && strcmp(colors[i], text) != 0) {
        i++;
    }
    return i < STYLE_COLORS;
}

void hitop_style_put_graph(FILE *to)
{
    static const char *const as_edited[][2] = DOT_GRAPH_STYLES;

    for (size_t i = 0; i < COUNT(as_edited); i++) {
        fprintf(to, ", %s=\"%s\"", as_edited[i][0], as_edited[i][1]);
    }
    for (size_t i = 0; i < COUNT(of_graph); i++) {
        hitop_dot_put_attr(to, ", ", &of_graph[i]);
    }
}

void hitop_style_put_defaults(FILE *to)
{
    fputs("    node [", to);
    put_all(to, of_nodes, COUNT(of_nodes));
    fputs("];\n    edge [", to);
    put_all(to, of_edges, COUNT(of_edges));
    fputs("];\n", to);
}
