/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_H
#define LINT_H

/*
 * lint.h - a hierarchy file taken apart for review, and what the reviewers have in common.
 *
 * Reviewers look at what the file says, not at a finished hierarchy, so that one mistake does not hide the
 * next. They do not depend on each other.
 */

#include "hierarchy/text/text_pool.h"
#include "hitop/ranks.h"
#include "hitop/status.h"

enum lint_kind { LINT_UNKNOWN, LINT_LEAF, LINT_GROUP };

enum { LINT_NONE = -1 }; /* no such node */

/* Texts are "" where the file says nothing. */
struct lint_node {
    const char *id;
    const char *type, *data, *rank, *level, *name, *label, *capacity;
    int is_html;   /* 1: label is HTML-like text */
    int line;      /* where it is described; 0 when it is not, or nobody knows */
    int has_attrs; /* there it has any */
    int again;     /* where it is described again, or 0 */
    int edge_line; /* where an edge mentions it first, or 0 */
    enum lint_kind kind;

    /* by hitop_lint_edges() */
    int parent, nchildren;
    int height, nleaves, depth; /* of a sound tree */
};

struct lint_edge {
    int tail, head; /* as in the file */
    int line;       /* or 0 */
    const char *capacity;
};

/* Some node or edge has an attribute of this name; edge counts when node is LINT_NONE. */
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
    struct text_pool text;
    int out_of_memory; /* sticky */
};

/* Something at a line, or at none where line is 0. The text begins with what it is about. */
void hitop_lint_error(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);
void hitop_lint_warn(struct lint *l, int line, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* Where a node is: its description, else an edge to it. */
int hitop_lint_line(const struct lint *l, int node);

/* Is word most likely a slip for right? */
int hitop_lint_is_slip(const char *word, const char *right);

/*
 * The reviewers. The first three find every error of the reader; hitop_lint_edges() comes before
 * those below.
 */
void hitop_lint_nodes(struct lint *l);
void hitop_lint_edges(struct lint *l);
void hitop_lint_capacity(struct lint *l);
void hitop_lint_words(struct lint *l);
void hitop_lint_groups(struct lint *l);
void hitop_lint_hosts(struct lint *l);

#endif /* LINT_H */
