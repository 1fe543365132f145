/* SPDX-License-Identifier: BSD-3-Clause */
/* text_index.c - number strings by a hash table with open addressing. */
#include <config.h>

#include "hierarchy/text/text_index.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return hash ^ hash >> 15; /* the low bits choose the slot */
}

static int grow(struct text_index *x)
{
    const int max = x->max > 0 ? 2 * x->max : 64;
    const uint32_t nslots = 2 * (uint32_t)max;
    const char **text = NULL;
    uint32_t *hash = NULL;
    int *slot = NULL;

    if (x->max > INT_MAX / 4) {
        return 0;
    }
    text = reallocarray(x->text, (size_t)max, sizeof(*text));
    x->text = text ? text : x->text;
    hash = reallocarray(x->hash, (size_t)max, sizeof(*hash));
    x->hash = hash ? hash : x->hash;
    slot = reallocarray(NULL, nslots, sizeof(*slot));
    if (!text || !hash || !slot) {
        free(slot);
        return 0;
    }
    for (uint32_t s = 0; s < nslots; s++) {
        slot[s] = -1;
    }
    for (int i = 0; i < x->n; i++) {
        uint32_t s = hash[i] & (nslots - 1);
        while (slot[s] >= 0) {
            s = (s + 1) & (nslots - 1);
        }
        slot[s] = i;
    }
    free(x->slot);
    x->slot = slot;
    x->nslots = nslots;
    x->max = max;
    return 1;
}

/* The slot of text, or the free slot for it. There must be slots. */
static uint32_t find_slot(const struct text_index *x, const char *text, uint32_t hash)
{
    uint32_t s = hash & (x->nslots - 1);

    while (x->slot[s] >= 0 &&
           (x->hash[x->slot[s]] != hash || strcmp(x->text[x->slot[s]], text) != 0)) {
        s = (s + 1) & (x->nslots - 1);
    }
    return s;
}

int hitop_text_index_find(const struct text_index *x, const char *text)
{
    return x->n > 0 ? x->slot[find_slot(x, text, hash_text(text))] : -1;
}

int hitop_text_index_put(struct text_index *x, const char *text, int *is_new)
{
    const uint32_t hash = hash_text(text);
    uint32_t s;

    *is_new = 0;
    if (x->n == x->max && !grow(x)) {
        return -1;
    }
    s = find_slot(x, text, hash);
    if (x->slot[s] >= 0) {
        return x->slot[s];
    }
    *is_new = 1;
    x->text[x->n] = text;
    x->hash[x->n] = hash;
    x->slot[s] = x->n;
    return x->n++;
}

int hitop_text_index_keep(struct text_index *x, struct storage *storage, const char *text,
                          int *is_new)
{
    const int number = hitop_text_index_put(x, text, is_new);

    if (*is_new) {
        x->text[number] = hitop_storage_text(storage, text);
    }
    return storage->out_of_memory ? -1 : number;
}

void hitop_text_index_clear(struct text_index *x)
{
    free(x->slot);
    free(x->hash);
    free(x->text);
    *x = (struct text_index){0};
}
