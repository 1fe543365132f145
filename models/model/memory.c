/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - blocks of memory that double in size, up to 1 MiB or one large array. */
#include <config.h>

#include "models/model/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1024, LARGEST_BLOCK = 1 << 20 };

struct memory_block {
    struct memory_block *before;
    size_t used, size;
    max_align_t bytes[];
};

static struct memory_block *add_block(struct memory *memory, size_t bytes)
{
    size_t size = memory->last ? 2 * memory->last->size : FIRST_BLOCK;
    struct memory_block *block;

    size = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
    size = size > bytes ? size : bytes;
    block = calloc(1, sizeof(*block) + size);
    if (block) {
        *block = (struct memory_block){.before = memory->last, .size = size};
        memory->last = block;
    }
    return block;
}

void *hitop_memory_take(struct memory *memory, size_t n, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    struct memory_block *block = memory->last;
    size_t bytes;

    memory->failed |= n > SIZE_MAX / 4 / size;
    if (memory->failed) {
        return NULL;
    }
    bytes = (n * size / unit + 1) * unit;
    if (!block || block->size - block->used < bytes) {
        block = add_block(memory, bytes);
    }
    memory->failed |= !block;
    if (!block) {
        return NULL;
    }
    block->used += bytes;
    return (char *)block->bytes + block->used - bytes;
}

void *hitop_memory_copy(struct memory *memory, const void *from, size_t n, size_t size)
{
    void *to = from ? hitop_memory_take(memory, n, size) : NULL;

    return to ? memcpy(to, from, n * size) : NULL;
}

char *hitop_memory_text(struct memory *memory, const char *text)
{
    return text ? hitop_memory_copy(memory, text, strlen(text) + 1, 1) : NULL;
}

void hitop_memory_clear(struct memory *memory)
{
    while (memory->last) {
        struct memory_block *block = memory->last;
        memory->last = block->before;
        free(block);
    }
}
