/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_GRAPH_H
#define DOT_GRAPH_H

/* dot_graph.h - a DOT text as nodes, edges and attributes, with their lines and comments. */

#include "hierarchy/text/storage.h"
#include "hierarchy/text/text_index.h"
#include "hitop/hierarchy.h"

enum { DOT_NONE = -1 };

/* The value of an attribute as it is written, without quotes; two backslashes stay two. */
struct dot_value {
    const char *text;
    int is_html; /* 1: written as <text> */
};

/* An attribute in the list of its owner. */
struct dot_attr {
    int key; /* index in the names of keys */
    struct dot_value value;
    int next; /* index of the next one, or DOT_NONE */
};

struct dot_node {
    const char *id;
    int is_html;   /* 1: the id is written as <text> */
    int attrs;     /* its first attribute, or DOT_NONE */
    int line;      /* of its first statement with attributes, or its first; 0: only in edges */
    int has_attrs; /* 1: that statement has attributes */
    int again;     /* line of a later statement with attributes, or 0 */
};

struct dot_edge {
    int tail, head;
    const char *key; /* its attribute "key", or "" */
    int attrs;
    int line;
};

/* Nodes and edges in the order of the text. The graph owns its strings. */
struct dot_graph {
    const char *name; /* NULL: it has none */
    struct dot_node *node;
    struct dot_edge *edge;
    struct dot_attr *attr;
    int nnodes, nedges, nattrs;
    int max_nodes, max_edges, max_attrs;
    int attrs[3]; /* by enum hitop_attr_of: defaults of nodes and edges; the graph's attributes */
    struct text_index ids;  /* the number of an id is the index of its node */
    struct text_index keys; /* names of attributes */
    struct storage text;
};

/*
 * Parse text, a directed graph without subgraphs. A comment becomes an attribute "comment" of the
 * statement that it is in, that ends on the same line, or else that follows. HITOP_ERR_FORMAT: the
 * message names the file, and the line if there is one. The caller clears g in any case.
 */
enum hitop_status hitop_dot_graph_parse(struct dot_graph *g, const char *file, const char *text,
                                        size_t length, struct hitop_diag *diag);

void hitop_dot_graph_clear(struct dot_graph *g);

/*
 * The node with an id, which is added with the defaults when it is new; DOT_NONE when out of
 * memory.
 */
int hitop_dot_graph_node(struct dot_graph *g, struct dot_value id);

/* A new edge with the defaults, valid until the next one; NULL when out of memory. */
struct dot_edge *hitop_dot_graph_edge(struct dot_graph *g, int tail, int head, int line);

/* Set an attribute in the list that begins with *first. The graph keeps pointers to the strings. */
void hitop_dot_graph_set(struct dot_graph *g, int *first, const char *name, struct dot_value value);

/* The value of a key in the list that begins with attribute first, or NULL. */
const struct dot_value *hitop_dot_graph_find(const struct dot_graph *g, int first, const char *key);

/* The text of that value; "" when there is none. */
const char *hitop_dot_graph_text(const struct dot_graph *g, int first, const char *key);

#endif /* DOT_GRAPH_H */
