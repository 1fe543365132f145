/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MARKUP_H
#define MARKUP_H

/* markup.h - text in HTML, SVG, and in labels of Graphviz that look like HTML. */

#include <stdio.h>

/* Text with what is not safe there replaced, control characters by spaces. */
void hitop_markup_put(FILE *to, const char *text);

#endif /* MARKUP_H */
