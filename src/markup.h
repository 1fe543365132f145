/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MARKUP_H
#define MARKUP_H

/* markup.h - escape text for HTML, SVG and HTML-like labels of Graphviz. */

#include <stdio.h>

/* Write text; special characters become entities, and control characters become blanks. */
void hitop_markup_put(FILE *to, const char *text);

#endif /* MARKUP_H */
