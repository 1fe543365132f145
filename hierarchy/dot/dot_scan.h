/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_SCAN_H
#define DOT_SCAN_H

/* dot_scan.h - the statements of a DOT text: in which lines they stand, and what comments say of them. */

#include <stddef.h>

enum dot_statement_kind {
    DOT_STATES_NODE,
    DOT_STATES_EDGE,  /* one for each edge of a chain */
    DOT_STATES_OTHER, /* defaults and attributes of the graph, and the braces around all */
};

/* Strings are lent for the call. */
struct dot_statement {
    enum dot_statement_kind kind;
    int line;
    int has_attrs;       /* brackets follow */
    const char *id[2];   /* a node; or the tail and head of an edge; else "" */
    const char *comment; /* above it, in it or behind it on its line; "" when there is none */
};

/*
 * Report all statements in order; of a text that cgraph would refuse, those before the fault. Subgraphs
 * end it. Returns 0 when out of memory.
 */
int hitop_dot_scan(const char *text, size_t length,
                   void (*report)(void *data, const struct dot_statement *statement), void *data);

#endif /* DOT_SCAN_H */
