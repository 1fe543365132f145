/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEXT_INDEX_H
#define TEXT_INDEX_H

/* text_index.h - numbers for strings: equal strings have equal numbers, counted from 0. */

#include "hierarchy/text/storage.h"

#include <stdint.h>

struct text_index {
    const char **text; /* [n], not owned: the caller may replace a new one by a copy */
    uint32_t *hash;    /* [n], of each string */
    int *slot;         /* [nslots], a number of a string, or -1 */
    uint32_t nslots;   /* a power of two, at least twice max */
    int n, max;
};

/*
 * Return the number of text, or -1 when out of memory. A new text is added: *is_new is 1, and its
 * number is the old x->n. The index keeps the pointer, not a copy.
 */
int hitop_text_index_put(struct text_index *x, const char *text, int *is_new);

/* The same, but the index uses a copy of a new text in storage. */
int hitop_text_index_keep(struct text_index *x, struct storage *storage, const char *text,
                          int *is_new);

/* The number of text; -1 if it is not in the index. */
int hitop_text_index_find(const struct text_index *x, const char *text);

/* Release the index; it is empty afterwards. */
void hitop_text_index_clear(struct text_index *x);

#endif /* TEXT_INDEX_H */
