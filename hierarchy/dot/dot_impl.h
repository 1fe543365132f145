/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_IMPL_H
#define DOT_IMPL_H

/* dot_impl.h - what the reader and the writer of DOT files share. */

#include "hitop/dot.h"

/* Value of the graph attribute "version", where "format" is "hitop-hierarchy". */
#define DOT_FORMAT "hitop-hierarchy"
#define DOT_VERSION "1"

/* The format of a drawing, which is not a complete hierarchy. */
#define DOT_DRAWING_FORMAT "hitop-drawing"

/* Name of a graph that has none of its own. */
#define DOT_GRAPH_NAME "hierarchy"

/* A name from a file, cut and without control characters, for a message. */
struct dot_shown {
    char text[128];
};

struct dot_shown hitop_dot_show(const char *text);

/*
 * The default label of a node: its ranks or its level, and its name in a second line, with
 * Graphviz's escapes; "" when all are empty. ranks is NULL for a group. The caller frees it; NULL
 * when out of memory.
 */
char *hitop_dot_make_label(const char *ranks, const char *level, const char *name);

/* A leaf in a file. */
struct dot_leaf {
    const char *id, *host;
    const char *rank_text;    /* "" when the file gives no rank */
    int range_begin, nranges; /* its ranks, among those of all leaves */
};

/* Give every leaf its ranks: from its text, from the job, or in the order of the file. */
enum hitop_status hitop_dot_assign_ranks(const char *file, struct dot_leaf *leaf, int nleaves,
                                         const struct hitop_dot_job *job, struct hitop_ranks *ranks,
                                         struct hitop_diag *diag);

#endif /* DOT_IMPL_H */
