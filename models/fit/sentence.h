/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SENTENCE_H
#define SENTENCE_H

/* sentence.h - a sentence under construction. */

#include "hitop/status.h"

#include <stddef.h>

/* What does not fit is cut off. */
struct sentence {
    char *text;
    size_t length, used;
};

void hitop_sentence_add(struct sentence *w, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* "64 KiB" */
void hitop_sentence_add_size(struct sentence *w, size_t bytes);

/* Two digits, and factors beyond 1000 %. */
void hitop_sentence_add_error(struct sentence *w, double error);

#endif /* SENTENCE_H */
