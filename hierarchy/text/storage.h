/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORAGE_H
#define STORAGE_H

/*
 * storage.h - strings and arrays that are released together.
 *
 * Many short strings share a block of memory: a hierarchy of 100,000 ranks has several hundred
 * thousand names. What is stored never moves. A caller may store many things and check once whether
 * memory was sufficient.
 */

#include "hitop/status.h"

#include <stddef.h>

struct storage_block;

/* All zero is empty. */
struct storage {
    struct storage_block *texts, *arrays;
    int out_of_memory; /* 1 after any failure, until hitop_storage_clear() */
};

/* Store a copy of a text. Returns "" for NULL and when out of memory. */
const char *hitop_storage_text(struct storage *s, const char *text);

/* The same for a text that is formatted as by printf(). */
const char *hitop_storage_print(struct storage *s, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* Allocate an array of n + 1 elements, all zero. NULL when out of memory. */
void *hitop_storage_array(struct storage *s, size_t n, size_t size);

/* Let a pointer point to a new array of n + 1 elements, all zero; NULL when out of memory. */
#define STORAGE_ARRAY(storage, pointer, n)                                                         \
    ((pointer) = hitop_storage_array((storage), (size_t)(n), sizeof(*(pointer))))

/* HITOP_ERR_NOMEM if memory was insufficient. */
static inline enum hitop_status storage_status(const struct storage *s)
{
    return s->out_of_memory ? HITOP_ERR_NOMEM : HITOP_OK;
}

/* Release all strings and arrays; the storage is empty afterwards. */
void hitop_storage_clear(struct storage *s);

#endif /* STORAGE_H */
