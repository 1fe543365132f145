/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c - format a whole text, then write it at once. */
#include <config.h>

#include "coll/runtime/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void hitop_message_text(const char *text)
{
    (void)fputs(text, stderr); /* the program may have redirected this stream */
    (void)fflush(stderr);
}

void hitop_message(const char *format, ...)
{
    char line[1024], *longer = NULL;
    va_list values, again;
    int length;

    va_start(values, format);
    va_copy(again, values);
    length = vsnprintf(line, sizeof(line), format, values);
    if (length >= (int)sizeof(line)) {
        longer = malloc((size_t)length + 1);
        if (longer) {
            (void)vsnprintf(longer, (size_t)length + 1, format, again);
        } else { /* write the beginning only */
            line[sizeof(line) - 2] = '\n';
        }
    }
    va_end(again);
    va_end(values);
    if (length > 0) {
        hitop_message_text(longer ? longer : line);
    }
    free(longer);
}
