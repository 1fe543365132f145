/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_table.c - find the host of each rank.
 *
 * Most ranks follow a rank of the same host; only the names of the others are searched in an index.
 */
#include <config.h>

#include "hierarchy/tree/group_impl.h"

#include "hierarchy/text/text_index.h"

#include <stdlib.h>
#include <string.h>

static int is_same_host(const struct hitop_place *x, const struct hitop_place *y)
{
    return x->host == y->host || strcmp(x->host, y->host) == 0;
}

/* The place of the first rank of each host. */
static enum hitop_status fill_hosts(struct host_table *t, const struct hitop_place *place,
                                    int nhosts)
{
    t->host = calloc((size_t)nhosts, sizeof(*t->host));
    if (!t->host) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < t->nranks; rank++) { /* hosts are numbered as they appear */
        if (t->host_of[rank] == t->nhosts) {
            t->host[t->nhosts++] = &place[rank];
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_host_table_fill(struct host_table *t, const struct hitop_place *place,
                                        int nranks)
{
    struct text_index index = {0};
    enum hitop_status status = HITOP_OK;
    int is_new = 0;

    *t = (struct host_table){.nranks = nranks};
    t->host_of = calloc((size_t)nranks, sizeof(*t->host_of));
    if (!t->host_of) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks && status == HITOP_OK; rank++) {
        t->host_of[rank] = rank > 0 && is_same_host(&place[rank - 1], &place[rank])
                               ? t->host_of[rank - 1]
                               : hitop_text_index_put(&index, place[rank].host, &is_new);
        status = t->host_of[rank] < 0 ? HITOP_ERR_NOMEM : HITOP_OK;
    }
    if (status == HITOP_OK) {
        status = fill_hosts(t, place, index.n);
    }
    hitop_text_index_clear(&index);
    return status;
}

void hitop_host_table_clear(struct host_table *t)
{
    free(t->host);
    free(t->host_of);
    *t = (struct host_table){0};
}
