/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * legend_dot.c - the legend of a drawing: the label of the graph, a row of levels in their colours.
 */
#include <config.h>

#include "hierarchy/dot/legend_dot.h"

#include "hierarchy/dot/style_dot.h"

#include "src/markup.h"

/* With more levels the legend would be wider than the drawing. */
enum { MOST_LEVELS = 10 };

static void put_levels(FILE *to, const struct columns *c, int last_column)
{
    for (int i = 0; i < c->nkinds && i < MOST_LEVELS; i++) {
        const struct column_kind *kind = &c->kind[i];

        if (kind->column > last_column) {
            break; /* levels are in the order of their columns */
        }
        fprintf(to, "<td border=\"1\" bgcolor=\"%s\">",
                hitop_style_color_of_column(kind->column, c->n));
        hitop_markup_put(to, kind->level[0] ? kind->level : "group");
        fputs("</td>", to);
    }
    if (c->nkinds > MOST_LEVELS) {
        fputs("<td>...</td>", to);
    }
}

void hitop_legend_put(FILE *to, const struct legend *l)
{
    fputs("<<table border=\"0\" cellspacing=\"4\">", to);
    fputs("<tr>", to);
    put_levels(to, l->columns, l->last_column);
    if (l->has_ranks) {
        fputs("<td>ranks</td>", to);
    }
    if (l->has_guesses) {
        fputs("<td>dashed: a guess</td>", to);
    }
    if (l->has_stacks) {
        fputs("<td>double: several alike</td>", to);
    }
    fputs("</tr></table>>", to);
}
