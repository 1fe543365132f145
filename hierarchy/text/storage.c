/* SPDX-License-Identifier: BSD-3-Clause */
/* storage.c - keep strings in large blocks, and arrays in blocks of their own. */
#include <config.h>

#include "hierarchy/text/storage.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384 };

struct storage_block {
    struct storage_block *next;
    size_t used, size;
    _Alignas(max_align_t) char data[];
};

static struct storage_block *add_block(struct storage *s, struct storage_block **list, size_t size)
{
    struct storage_block *block =
        size < SIZE_MAX / 2 ? calloc(1, offsetof(struct storage_block, data) + size) : NULL;

    if (!block) {
        s->out_of_memory = 1;
        return NULL;
    }
    block->next = *list;
    block->size = size;
    *list = block;
    return block;
}

const char *hitop_storage_text(struct storage *s, const char *text)
{
    struct storage_block *block = s->texts;
    size_t bytes;
    char *copy;

    if (!text || !text[0]) {
        return "";
    }
    bytes = strlen(text) + 1;
    if (!block || block->size - block->used < bytes) {
        block = add_block(s, &s->texts, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
        if (!block) {
            return "";
        }
    }
    copy = block->data + block->used;
    memcpy(copy, text, bytes);
    block->used += bytes;
    return copy;
}

const char *hitop_storage_print(struct storage *s, const char *fmt, ...)
{
    const char *kept = "";
    char *text = NULL;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) >= 0) {
        kept = hitop_storage_text(s, text);
        free(text);
    } else {
        s->out_of_memory = 1;
    }
    va_end(args);
    return kept;
}

void *hitop_storage_array(struct storage *s, size_t n, size_t size)
{
    struct storage_block *block =
        add_block(s, &s->arrays, n < SIZE_MAX / 2 / size ? (n + 1) * size : SIZE_MAX);

    return block ? block->data : NULL;
}

static void free_blocks(struct storage_block *block)
{
    while (block) {
        struct storage_block *next = block->next;
        free(block);
        block = next;
    }
}

void hitop_storage_clear(struct storage *s)
{
    free_blocks(s->texts);
    free_blocks(s->arrays);
    *s = (struct storage){0};
}
