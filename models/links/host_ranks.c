/* SPDX-License-Identifier: BSD-3-Clause */
/* host_ranks.c - which ranks share a host. */
#include <config.h>

#include "models/links/host_ranks.h"

#include <stdlib.h>

enum hitop_status hitop_host_ranks_fill(struct host_ranks *out, const struct hitop_hierarchy *h,
                                        struct hitop_diag *diag)
{
    const size_t nranks = (size_t)hitop_hierarchy_nranks(h);
    int *next;

    *out = (struct host_ranks){.innermost = calloc(nranks, sizeof(int)),
                               .rank = calloc(nranks, sizeof(int)),
                               .begin = calloc(nranks + 1, sizeof(int))};
    next = calloc(nranks, sizeof(*next));
    if (!out->innermost || !out->rank || !out->begin || !next) {
        free(next);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "hosts: out of memory");
    }
    for (int rank = 0; rank < (int)nranks; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        out->innermost[rank] = first == rank ? out->nhosts++ : out->innermost[first];
        out->begin[out->innermost[rank] + 1]++;
    }
    for (int host = 0; host < out->nhosts; host++) {
        out->begin[host + 1] += out->begin[host];
        next[host] = out->begin[host];
    }
    for (int rank = 0; rank < (int)nranks; rank++) {
        out->rank[next[out->innermost[rank]]++] = rank;
    }
    free(next);
    return HITOP_OK;
}

void hitop_host_ranks_clear(struct host_ranks *hosts)
{
    free(hosts->innermost);
    free(hosts->rank);
    free(hosts->begin);
    *hosts = (struct host_ranks){0};
}
