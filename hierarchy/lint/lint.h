/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_H
#define LINT_H

/*
 * lint.h - checks of a hierarchy file.
 *
 * The checks work on nodes and edges as they are written, not on a finished hierarchy, so that they
 * find all mistakes of a file at once. They do not depend on each other.
 */

#include "hierarchy/text/storage.h"
#include "hitop/ranks.h"
#include "hitop/status.h"

enum lint_kind { LINT_UNKNOWN, LINT_LEAF, LINT_GROUP };

enum { LINT_NONE = -1 }; /* no such node */

/* Texts are "" for attributes that the node does not have. */
struct lint_node {
    const char *id;
    const char *type, *data, *rank, *level, *name, *label, *capacity;
    int is_html;   /* 1: label is HTML-like text */
    int line;      /* of its statement; 0: it has none */
    int has_attrs; /* 1: that statement has attributes */
    int again;     /* line of a second statement with attributes, or 0 */
    int edge_line; /* of the first edge to or from it, or 0 */
    enum lint_kind kind;

    /* set by hitop_lint_edges() */
    int parent, nchildren;
    int height, nleaves, depth; /* if the edges make a tree */
};

struct lint_edge {
    int tail, head; /* as in the file */
    int line;       /* or 0 */
    const char *capacity;
};

/* An attribute, and the first node or edge that has it; of the graph if both are LINT_NONE. */
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
    int is_sound; /* by hitop_lint_edges(): edges make a tree */

    struct lint_finding *finding;
    int nfindings, max_findings, nerrors;
    struct storage storage; /* of findings, and scratch */
};

/*
 * Add a finding at a line, or without a line if it is 0. The text begins with the object that it is
 * about.
 */
void hitop_lint_error(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);
void hitop_lint_warn(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* The line of a node's statement, else of the first edge to or from it. */
int hitop_lint_line(const struct lint *l, int node);

/* 1 if word is most likely a typing error of right. */
int hitop_lint_is_slip(const char *word, const char *right);

/*
 * The checks. The first three find every error that the reader finds; hitop_lint_edges() has to run
 * before those that follow it.
 */
void hitop_lint_nodes(struct lint *l);
void hitop_lint_edges(struct lint *l);
void hitop_lint_capacity(struct lint *l);
void hitop_lint_words(struct lint *l);
void hitop_lint_groups(struct lint *l);
void hitop_lint_hosts(struct lint *l);

#endif /* LINT_H */
