/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_MEMORY_H
#define MODEL_MEMORY_H

/* memory.h - memory for many small arrays that are released together. */

#include <stddef.h>

struct memory_block;

struct memory {
    struct memory_block *last;
    int failed; /* 1: an allocation failed */
};

/* Zeroed memory for n elements, not NULL for n = 0; NULL after a failure. */
void *hitop_memory_take(struct memory *memory, size_t n, size_t size);

/* A copy of n elements, or of a text; NULL for NULL and after a failure. */
void *hitop_memory_copy(struct memory *memory, const void *from, size_t n, size_t size);
char *hitop_memory_text(struct memory *memory, const char *text);

void hitop_memory_clear(struct memory *memory);

#endif /* MODEL_MEMORY_H */
