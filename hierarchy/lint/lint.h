/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_H
#define LINT_H

/*
 * lint.h - checks of a hierarchy file.
 *
 * The checks work on nodes and edges as they are written, not on a finished hierarchy, so that they
 * find all mistakes of a file at once.
 */

#include "hierarchy/text/storage.h"
#include "hitop/ranks.h"
#include "hitop/status.h"

enum lint_kind { LINT_UNKNOWN, LINT_LEAF, LINT_GROUP };

enum { LINT_NONE = -1 }; /* no node, or no edge */

/* Texts are "" for attributes that the node does not have. */
struct lint_node {
    const char *id;
    const char *type, *data, *rank, *level, *name, *label, *capacity;
    int is_html;   /* 1: label is HTML-like text */
    int line;      /* line of its statement, or 0 */
    int has_attrs; /* 1: its statement has attributes */
    int again;     /* line of a second statement with attributes, or 0 */
    int edge_line; /* of the first edge to or from it, or 0 */
    enum lint_kind kind;

    /* set by hitop_lint_edges(); kind is set by hitop_lint_nodes() */
    int parent, nchildren;
    int height, nleaves, depth; /* only if the edges make a tree */
};

struct lint_edge {
    int tail, head; /* as in the file */
    int line;       /* or 0 */
    const char *capacity;
};

/*
 * An attribute name, and the first node or edge with it. Both are LINT_NONE for one of the graph.
 */
struct lint_key {
    const char *key;
    int node, edge;
};

struct lint_finding {
    int line, order, is_error;
    const char *text;
};

struct lint {
    const char *file;
    struct lint_node *node;
    struct lint_edge *edge;
    struct lint_key *key;
    int nnodes, nedges, nkeys;
    int is_down;  /* edges point from group to member */
    int is_sound; /* set by hitop_lint_edges(); 1: edges make a tree */

    struct lint_finding *finding;
    int nfindings, max_findings, nerrors;
    struct storage storage; /* of findings, and scratch */
};

/* Add a finding at a line; 0: without a line. The text begins with the object that is wrong. */
void hitop_lint_error(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);
void hitop_lint_warn(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* The line of a node's statement, else of the first edge to or from it. */
int hitop_lint_line(const struct lint *l, int node);

/* 1 if word is most likely a misspelling of right. */
int hitop_lint_is_slip(const char *word, const char *right);

/*
 * The checks. hitop_lint_nodes() has to run first, hitop_lint_edges() second; hitop_lint_groups()
 * and hitop_lint_hosts() need a tree (is_sound). The first three find every error that the reader
 * of hierarchy files finds.
 */
void hitop_lint_nodes(struct lint *l);
void hitop_lint_edges(struct lint *l);
void hitop_lint_capacity(struct lint *l);
void hitop_lint_words(struct lint *l);
void hitop_lint_groups(struct lint *l);
void hitop_lint_hosts(struct lint *l);

#endif /* LINT_H */
