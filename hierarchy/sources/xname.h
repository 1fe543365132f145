/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef XNAME_H
#define XNAME_H

/*
 * xname.h - where a node of a Cray stands.
 *
 * x1000c3s2b1n0 is node 0 on board 1 of the blade in slot 2 of chassis 3 of cabinet 1000; c0-1c2s15n3,
 * on older machines, is node 3 of the blade in slot 15 of chassis 2 of the cabinet in column 0 of row 1.
 */

#include "hitop/sys/source.h"

enum { XNAME_CABINET, XNAME_CHASSIS, XNAME_BLADE, XNAME_LEVELS };

/* Every level is named by the beginning of the node's own name, e.g. "x1000c3". */
struct xname {
    char text[64];               /* in lower case; "" when unknown */
    size_t length[XNAME_LEVELS]; /* of the beginning that names it */
};

/* 1 when text is the whole name of a node; that of its network interface (...n0h1) counts as well. */
int hitop_xname_parse(const char *text, struct xname *out);

/* The first word of the first of these files that can be read; "" when there is none. */
void hitop_xname_read(const char *const *files, char *out, size_t length);

/* Put a place into its cabinet, chassis and blade, if it is known. */
void hitop_xname_push(const struct xname *at, int place, double confidence,
                      struct hitop_paths *paths);

#endif /* XNAME_H */
