/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEXT_INDEX_H
#define TEXT_INDEX_H

/* text_index.h - numbers for strings: equal strings have equal numbers, counted from 0. */

#include "hierarchy/text/storage.h"

#include <stdint.h>

struct text_index {
    const char **text; /* n strings, lent: the caller may put its own copy in place of a new one */
    uint32_t *hash;    /* of each string */
    int *slot;         /* nslots numbers, or -1 */
    uint32_t nslots;   /* a power of two, at least twice max */
    int n, max;
};

/* Number of text, which is the new one text_index.n - 1 where *is_new; -1 when out of memory. */
int hitop_text_index_put(struct text_index *x, const char *text, int *is_new);

/* The same; a new text is copied into the storage. */
int hitop_text_index_keep(struct text_index *x, struct storage *storage, const char *text,
                          int *is_new);

/* Number of text, or -1 when it has none. */
int hitop_text_index_find(const struct text_index *x, const char *text);

/* Release the index; it is empty afterwards. */
void hitop_text_index_clear(struct text_index *x);

#endif /* TEXT_INDEX_H */
