/* SPDX-License-Identifier: BSD-3-Clause */
/* host_blocks.c - make groups of consecutive host numbers. */
#include <config.h>

#include "hierarchy/names/host_blocks.h"

#include "hierarchy/names/host_name.h"

#include "src/grow.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct block_member {
    const char *domain, *group;
    unsigned long long number;
    int index;
};

/* Blocks are made at the request of the user only. */
static const double confidence = 1;

void hitop_host_blocks_begin(struct host_blocks *b, const struct hitop_grouping *how)
{
    *b = (struct host_blocks){.size = how->block};
}

void hitop_host_blocks_add(struct host_blocks *b, int index, const char *host, const char *group,
                           const char *digits)
{
    struct block_member *m;

    if (b->size == 0) {
        return;
    }
    if (!HITOP_GROW(b->member, b->nmembers, b->max)) {
        b->text.out_of_memory = 1;
        return;
    }
    m = &b->member[b->nmembers];
    *m = (struct block_member){.domain = hitop_host_name_domain(host), .index = index};
    m->group = hitop_storage_text(&b->text, group);
    errno = 0;
    m->number = strtoull(digits, NULL, 10);
    b->nmembers += errno == 0;
}

void hitop_host_blocks_add_host(struct host_blocks *b, int index, const char *host,
                                const char *group)
{
    const char *end = host + hitop_host_name_short_length(host);

    while (end > host && !isdigit((unsigned char)end[-1])) {
        end--;
    }
    if (end > host) {
        while (end > host && isdigit((unsigned char)end[-1])) {
            end--;
        }
        hitop_host_blocks_add(b, index, host, group, end);
    }
}

static int by_group(const struct block_member *x, const struct block_member *y)
{
    const int order = strcasecmp(x->domain, y->domain);

    return order ? order : strcmp(x->group, y->group);
}

static int by_number(const void *a, const void *b)
{
    const struct block_member *x = a, *y = b;
    const int order = by_group(x, y);

    if (order || x->number != y->number) {
        return order ? order : x->number < y->number ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static void push_blocks(const struct host_blocks *b, struct hitop_paths *paths)
{
    const unsigned long long size = (unsigned long long)b->size;
    unsigned long long smallest = 0;

    for (int i = 0; i < b->nmembers; i++) {
        const struct block_member *m = &b->member[i];
        unsigned long long begin;
        char name[384];

        if (i == 0 || by_group(m - 1, m) != 0) {
            smallest = m->number;
        }
        begin = m->number - (m->number - smallest) % size;
        (void)snprintf(name, sizeof(name), "%.300s[%llu-%llu]", m->group, begin, begin + size - 1);
        hitop_paths_push(paths, m->index, "block", name, confidence);
    }
}

enum hitop_status hitop_host_blocks_end(struct host_blocks *b, struct hitop_paths *paths)
{
    const enum hitop_status status = storage_status(&b->text);

    if (b->nmembers > 0 && status == HITOP_OK) {
        qsort(b->member, (size_t)b->nmembers, sizeof(*b->member), by_number);
        push_blocks(b, paths);
    }
    hitop_storage_clear(&b->text);
    free(b->member);
    *b = (struct host_blocks){0};
    return status;
}
