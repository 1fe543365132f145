/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drawing_dot.c - write a drawing as DOT text, whose format attribute keeps hitop_dot_read() from
 * reading it.
 */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/dot/style_dot.h"
#include "hierarchy/draw/columns.h"
#include "hierarchy/draw/drawing_impl.h"
#include "src/markup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Style of what stands behind the name of a node. */
static const char small[] = "<font color=\"#555555\">";

/* "alpha", "rack 12", "16 x host n[01-16]", "950 others" */
static void put_name(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    if (p->kind == SUMMARY_REST) {
        fprintf(to, "%d others", p->nalike);
        return;
    }
    if (p->nalike > 1) {
        fprintf(to, "%d x ", p->nalike);
    }
    if (p->nalike > 1 || !isalpha((unsigned char)p->names[0])) {
        hitop_markup_put(to, hitop_summary_level(d, p));
        fputs(p->names[0] ? " " : "", to);
    }
    hitop_markup_put(to, p->names);
}

static void put_count(FILE *to, int n, const char *noun)
{
    fprintf(to, "%d %s%s", n, noun, n > 1 ? "s" : "");
}

/*
 * "2 hosts, ranks 0-63"; with the names of the hosts if they are not drawn as nodes of their own.
 */
static void put_contents(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    const int nalike = summary_count_each(p);

    if (hitop_summary_shows_hosts(d, p)) {
        put_count(to, p->nhosts / nalike, "host");
        if (!p->has_children && strcmp(p->hosts, p->names) != 0) {
            fputc(' ', to);
            hitop_markup_put(to, p->hosts);
        }
        fputs(", ", to);
    }
    if (nalike > 1) {
        put_count(to, p->nranks / nalike, "rank");
        fputs(" each", to);
    } else {
        fprintf(to, "rank%s %s", p->nranks > 1 ? "s" : "", p->ranks);
    }
}

static void put_label(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    fputs(", label=<", to);
    put_name(to, d, p);
    fprintf(to, "  %s", small);
    put_contents(to, d, p);
    fputs("</font>>", to);
}

/* Everything known about the node, as plain text that viewers show under the pointer. */
static enum hitop_status put_tooltip(FILE *to, const struct hitop_drawing *d,
                                     const struct summary *p)
{
    const char *level = hitop_summary_level(d, p);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    if (!stream) {
        return HITOP_ERR_NOMEM;
    }
    fprintf(stream, "%s%s%s: %d host%s %s, %d rank%s %s", level, p->names[0] ? " " : "", p->names,
            p->nhosts, p->nhosts > 1 ? "s" : "", p->hosts, p->nranks, p->nranks > 1 ? "s" : "",
            p->ranks);
    if (p->kind != SUMMARY_RANKS && p->kind != SUMMARY_REST) {
        hitop_origin_put(stream, d->h, p->node);
    }
    if (fclose(stream) != 0) {
        free(text);
        return HITOP_ERR_NOMEM;
    }
    fputs(", tooltip=", to);
    hitop_dot_put_plain(to, text);
    free(text);
    return HITOP_OK;
}

/*
 * Groups are boxes in the colour of their level. Their lines are dashed if the source is unsure,
 * and double if the box stands for several alike groups.
 */
static enum hitop_status put_summary(FILE *to, const struct hitop_drawing *d, int index)
{
    const struct summary *p = &d->summary[index];
    const struct columns *columns = &d->layout.columns;
    enum hitop_status status;

    fprintf(to, "    %d [", index);
    if (p->kind == SUMMARY_RANKS) {
        fputs("shape=\"plaintext\"", to);
    } else {
        const int is_guess = p->kind != SUMMARY_REST && hitop_origin_is_guess(d->h, p->node);
        fprintf(to, "shape=\"box\", style=\"filled,rounded%s\", fillcolor=\"%s\"",
                is_guess ? ",dashed" : "",
                hitop_style_color_of_column(hitop_columns_at(columns, d->h, p->node), columns->n));
    }
    if (p->nalike > 1) {
        fputs(", peripheries=2", to);
    }
    put_label(to, d, p);
    status = put_tooltip(to, d, p);
    fputs("];\n", to);
    return status;
}

static void put_edge(FILE *to, const struct hitop_drawing *d, int index)
{
    const struct columns *columns = &d->layout.columns;
    const struct summary *p = &d->summary[index];
    const int span = hitop_columns_at(columns, d->h, p->node) -
                     hitop_columns_at(columns, d->h, d->summary[p->parent].node);

    fprintf(to, "    %d->%d", index, p->parent);
    if (span > 1) {
        fprintf(to, " [minlen=%d]", span);
    }
    fputs(";\n", to);
}

/* ---- The legend: the label of the graph, a row of levels in their colours ---- */

/* What the legend has to explain. */
struct legend {
    const struct columns *columns;
    int last_column; /* the innermost level that is drawn */
    int has_guesses; /* dashed lines */
    int has_stacks;  /* double lines */
    int has_ranks;   /* ranks as nodes of their own */
};

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

/* Write the legend as an HTML-like label with its <>. */
static void put_legend(FILE *to, const struct legend *l)
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

static struct legend make_legend(const struct hitop_drawing *d)
{
    struct legend legend = {.columns = &d->layout.columns};

    for (int i = 0; i < d->nsummaries; i++) {
        const struct summary *p = &d->summary[i];
        const int column = hitop_columns_at(legend.columns, d->h, p->node);
        legend.has_stacks |= p->nalike > 1;
        legend.has_ranks |= p->kind == SUMMARY_RANKS;
        if (p->kind != SUMMARY_RANKS && p->kind != SUMMARY_REST) {
            legend.has_guesses |= hitop_origin_is_guess(d->h, p->node);
            legend.last_column = column > legend.last_column ? column : legend.last_column;
        }
    }
    return legend;
}

enum hitop_status hitop_drawing_write_dot(const struct hitop_drawing *drawing, FILE *to,
                                          struct hitop_diag *diag)
{
    const char *name = hitop_hierarchy_graph_name(drawing->h);
    const struct legend legend = make_legend(drawing);
    enum hitop_status status = HITOP_OK;

    fputs("digraph ", to);
    hitop_dot_put_key(to, name[0] ? name : DOT_GRAPH_NAME);
    fprintf(to, " {\n    graph [format=\"%s\", version=\"%s\"", DOT_DRAWING_FORMAT, DOT_VERSION);
    hitop_style_put_graph(to);
    fputs(", label=", to);
    put_legend(to, &legend);
    fputs("];\n", to);
    hitop_style_put_defaults(to);
    for (int i = 0; i < drawing->nsummaries && status == HITOP_OK; i++) {
        status = put_summary(to, drawing, i);
    }
    for (int i = 1; i < drawing->nsummaries; i++) {
        put_edge(to, drawing, i);
    }
    fputs("}\n", to);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "drawing: out of memory");
}
