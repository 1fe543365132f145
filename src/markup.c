/* SPDX-License-Identifier: BSD-3-Clause */
/* markup.c - see markup.h. */
#include <config.h>

#include "markup.h"

void markup_put(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            putc((unsigned char)*c < ' ' || *c == 127 ? ' ' : *c, to);
        }
    }
}
