/* SPDX-License-Identifier: BSD-3-Clause */
/* markup.c - escape text for HTML, SVG and HTML-like labels of Graphviz. */
#include <config.h>

#include "src/markup.h"

#include <string.h>

void hitop_markup_put(FILE *to, const char *text)
{
    static const char special[] = "<>&\"";
    static const char *const entity[] = {"&lt;", "&gt;", "&amp;", "&quot;"};

    for (const char *c = text; *c; c++) {
        const char *at = strchr(special, *c);
        if (at) {
            fputs(entity[at - special], to);
        } else {
            putc((unsigned char)*c < ' ' || *c == 127 ? ' ' : *c, to);
        }
    }
}
