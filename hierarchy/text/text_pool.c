/* SPDX-License-Identifier: BSD-3-Clause */
/* text_pool.c - keep strings in large blocks. */
#include <config.h>

#include "hierarchy/text/text_pool.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384 };

struct text_block {
    struct text_block *next;
    size_t used, size;
    char text[];
};

static struct text_block *add_block(struct text_pool *pool, size_t size)
{
    struct text_block *block = malloc(sizeof(*block) + size);

    if (block) {
        block->next = pool->blocks;
        block->used = 0;
        block->size = size;
        pool->blocks = block;
    }
    return block;
}

const char *hitop_text_pool_keep(struct text_pool *pool, const char *text)
{
    struct text_block *block = pool->blocks;
    size_t bytes;
    char *copy;

    if (!text || !text[0]) {
        return "";
    }
    bytes = strlen(text) + 1;
    if (!block || block->size - block->used < bytes) {
        block = add_block(pool, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
        if (!block) {
            return NULL;
        }
    }
    copy = block->text + block->used;
    memcpy(copy, text, bytes);
    block->used += bytes;
    return copy;
}

void hitop_text_pool_clear(struct text_pool *pool)
{
    while (pool->blocks) {
        struct text_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
}
