/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef XNAME_H
#define XNAME_H

/*
 * xname.h - the place of a node in a Cray.
 *
 * x1000c3s2b1n0 is node 0 on board 1 of the blade in slot 2 of chassis 3 of cabinet 1000;
 * c0-1c2s15n3, on older machines, is node 3 of the blade in slot 15 of chassis 2 of the cabinet in
 * column 0 of row 1.
 */

#include "hitop/sys/source.h"

enum { XNAME_CABINET, XNAME_CHASSIS, XNAME_BLADE, XNAME_LEVELS };

/* The name of a level is the beginning of the node's name, e.g. "x1000c3". */
struct xname {
    char text[64];               /* in lower case; "" when unknown */
    size_t length[XNAME_LEVELS]; /* of the name of each level */
};

/* 1 if text is the whole name of a node or of its network interface (...n0h1). */
int hitop_xname_parse(const char *text, struct xname *out);

/* Read the first word of the first of these files that can be read; "" if there is none. */
void hitop_xname_read(const char *const *files, char *out, size_t length);

/* Push the cabinet, chassis and blade of a place, if they are known. */
void hitop_xname_push(const struct xname *at, int place, double confidence,
                      struct hitop_paths *paths);

#endif /* XNAME_H */
