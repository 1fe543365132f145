/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.c - a sentence under construction. */
#include <config.h>

#include "models/fit/sentence.h"

#include "hitop/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hitop_sentence_add(struct sentence *w, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(w->text + w->used, w->length - w->used, fmt, args);
    va_end(args);
    if (n > 0) {
        w->used = (size_t)n < w->length - w->used ? w->used + (size_t)n : w->length - 1;
    }
}

void hitop_sentence_add_size(struct sentence *w, size_t bytes)
{
    char text[32];
    size_t digits;

    hitop_text_format_size(bytes, text, sizeof(text));
    digits = strspn(text, "0123456789");
    hitop_sentence_add(w, "%.*s %s", (int)digits, text, text[digits] ? text + digits : "B");
}

void hitop_sentence_add_error(struct sentence *w, double error)
{
    if (error >= 9.995) {
        hitop_sentence_add(w, "a factor of %.0f", error + 1);
    } else if (error >= 0.0995) {
        hitop_sentence_add(w, "%.0f %%", 100 * error);
    } else {
        hitop_sentence_add(w, "%.1f %%", 100 * error);
    }
}
