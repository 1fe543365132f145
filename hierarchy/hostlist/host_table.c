/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_table.c - find the host of each rank.
 *
 * Most ranks follow a rank of the same host; only the names of the others are searched in an index.
 */
#include <config.h>

#include "hierarchy/tree/group_impl.h"

#include "hierarchy/text/text_index.h"

#include <string.h>

static int is_same_host(const struct hitop_place *x, const struct hitop_place *y)
{
    return x->host == y->host || strcmp(x->host, y->host) == 0;
}

enum hitop_status hitop_host_table_fill(struct host_table *t, const struct hitop_place *place,
                                        int nranks, struct storage *storage)
{
    struct text_index index = {0};
    int is_new = 0;

    *t = (struct host_table){.nranks = nranks};
    if (!STORAGE_ARRAY(storage, t->host_of, nranks)) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks; rank++) {
        t->host_of[rank] = rank > 0 && is_same_host(&place[rank - 1], &place[rank])
                               ? t->host_of[rank - 1]
                               : hitop_text_index_put(&index, place[rank].host, &is_new);
        storage->out_of_memory |= t->host_of[rank] < 0;
    }
    if (STORAGE_ARRAY(storage, t->host, index.n)) {
        for (int rank = 0; rank < nranks; rank++) { /* hosts are numbered as they appear */
            if (t->host_of[rank] == t->nhosts) {
                t->host[t->nhosts++] = place[rank];
            }
        }
    }
    hitop_text_index_clear(&index);
    return storage_status(storage);
}
