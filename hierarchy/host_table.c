/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_table.c - which ranks run on one host.
 *
 * Most ranks follow one of the same host, whose name often even is the same string; only the others are
 * looked up in a hash table.
 */
#include <config.h>

#include "group_impl.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int is_same_host(const struct hitop_place *x, const struct hitop_place *y)
{
    return x->host == y->host || strcmp(x->host, y->host) == 0;
}

/* Index of the host of a place, a new one if need be; -1 when out of memory. */
static int find_host(struct host_table *t, struct hsearch_data *index,
                     const struct hitop_place *place)
{
    ENTRY entry = {.key = (char *)(uintptr_t)place->host, .data = (void *)(intptr_t)t->nhosts};
    ENTRY *found = NULL;

    if (!hsearch_r(entry, ENTER, &found, index)) {
        return -1;
    }
    if ((intptr_t)found->data == t->nhosts) {
        t->host[t->nhosts++] = place;
    }
    return (int)(intptr_t)found->data;
}

static int count_runs(const struct hitop_place *place, int nranks)
{
    int runs = 1;

    for (int rank = 1; rank < nranks; rank++) {
        runs += !is_same_host(&place[rank - 1], &place[rank]);
    }
    return runs;
}

enum hitop_status host_table_fill(struct host_table *t, const struct hitop_place *place, int nranks)
{
    const size_t runs = (size_t)count_runs(place, nranks);
    struct hsearch_data index = {0};

    *t = (struct host_table){.nranks = nranks};
    t->host_of = calloc((size_t)nranks, sizeof(*t->host_of));
    t->host = calloc(runs, sizeof(*t->host));
    if (!t->host_of || !t->host || !hcreate_r(runs + runs / 2 + 16, &index)) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks; rank++) {
        t->host_of[rank] = rank > 0 && is_same_host(&place[rank - 1], &place[rank])
                               ? t->host_of[rank - 1]
                               : find_host(t, &index, &place[rank]);
        if (t->host_of[rank] < 0) {
            hdestroy_r(&index);
            return HITOP_ERR_NOMEM;
        }
    }
    hdestroy_r(&index);
    return HITOP_OK;
}

void host_table_clear(struct host_table *t)
{
    free(t->host);
    free(t->host_of);
    *t = (struct host_table){0};
}
