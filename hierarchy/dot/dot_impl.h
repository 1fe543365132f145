/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_IMPL_H
#define DOT_IMPL_H

/* dot_impl.h - what the reader and the writer of DOT files must agree upon. */

#include "hitop/dot.h"

/* Value of the graph attribute "version", where "format" is "hitop-hierarchy". */
#define DOT_FORMAT "hitop-hierarchy"
#define DOT_VERSION "1"

/* The same of a drawing, which leaves things out. */
#define DOT_DRAWING_FORMAT "hitop-drawing"

/* The graph where its file does not call it something else. */
#define DOT_GRAPH_NAME "hierarchy"

/* A name from a file, fit for a one-line message. */
struct dot_shown {
    char text[128];
};

struct dot_shown hitop_dot_show(const char *text);

/*
 * The label of a node that has none of its own: what it is above what it is called, in Graphviz's
 * escapes; "" when neither is known. ranks is the text for the ranks of leaves, NULL for a group. To be
 * freed by the caller; NULL when out of memory.
 */
char *hitop_dot_make_label(const char *ranks, const char *level, const char *name);

/* A leaf as the file describes it. */
struct dot_leaf {
    const char *id, *host;
    const char *rank_text;    /* "" when the file gives no rank */
    int range_begin, nranges; /* its ranks, among those of all leaves */
};

/* Give every leaf its ranks: from its text, from the job, or in the order of the file. */
enum hitop_status hitop_dot_assign_ranks(const char *file, struct dot_leaf *leaf, int nleaves,
                                         const struct hitop_dot_job *job, struct hitop_ranks *ranks,
                                         struct hitop_diag *diag);

struct Agraph_s;

/* cgraph is for one thread at a time: from before hitop_dot_load() until after agclose(). */
void hitop_dot_lock(void);
void hitop_dot_unlock(void);

/*
 * Parse text into a directed graph, to be closed with agclose(). Messages of cgraph go to diag; nothing
 * is printed.
 */
enum hitop_status hitop_dot_load(const char *name, const char *text, size_t length,
                                 struct Agraph_s **out, struct hitop_diag *diag);

#endif /* DOT_IMPL_H */
