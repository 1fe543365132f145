/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - map the ranks of a job to the ranks of a model by their hosts. */
#include <config.h>

#include "coll/validate/place.h"

#include "coll/predict/placement.h"
#include "hitop/hosts.h"

#include <stdlib.h>
#include <string.h>

/* The hosts of the model as a compressed list; NULL when out of memory. */
static char *list_hosts(const struct hitop_hierarchy *h, int *nhosts)
{
    const char **host = calloc((size_t)hitop_hierarchy_nranks(h), sizeof(*host));
    char *list = NULL;

    *nhosts = 0;
    for (int r = 0; host && r < hitop_hierarchy_nranks(h); r++) {
        const char *name = hitop_hierarchy_host(h, r);
        if (hitop_hierarchy_rank_on_host(h, name) == r) {
            host[(*nhosts)++] = name;
        }
    }
    if (!host || hitop_hosts_compress(host, *nhosts, &list, NULL) != HITOP_OK) {
        list = NULL;
    }
    free(host);
    return list;
}

static enum hitop_status strange_host(const struct hitop_hierarchy *h, const char *host, int rank,
                                      struct hitop_diag *diag)
{
    int nhosts;
    char *list = list_hosts(h, &nhosts);
    const enum hitop_status status = hitop_fail(
        diag, HITOP_ERR_NOTFOUND,
        "rank %d runs on '%s', which is none of the %d host%s of the model (%.200s); measure a "
        "model of this machine, or --ignore-hosts if rank k stands for its rank k",
        rank, host, nhosts, nhosts == 1 ? "" : "s", list ? list : "");

    free(list);
    return status;
}

/* Find a different rank of the model for each rank of the job. */
static enum hitop_status find_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                    int nranks, int *rank, struct hitop_diag *diag)
{
    char *is_taken = calloc((size_t)hitop_hierarchy_nranks(h), 1);
    enum hitop_status status =
        is_taken ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "placement: out of memory");

    for (int k = 0; k < nranks && status == HITOP_OK; k++) {
        if (hitop_placement_ranks(h, &hosts[k], 1, &rank[k], NULL) == HITOP_ERR_NOTFOUND) {
            status = strange_host(h, hosts[k], k, diag);
        }
    }
    if (status == HITOP_OK) {
        status = hitop_placement_ranks(h, hosts, nranks, rank, diag);
    }
    for (int k = 0; k < nranks && status == HITOP_OK; k++) {
        if (is_taken[rank[k]]) {
            status =
                hitop_fail(diag, HITOP_ERR_NOTFOUND,
                           "rank %d is one more on '%s' than the model knows of; run as many ranks "
                           "on a host as the model has there, or fewer",
                           k, hosts[k]);
        }
        is_taken[rank[k]] = 1;
    }
    free(is_taken);
    return status;
}

static enum hitop_status number_ranks(const struct hitop_hierarchy *h, const char **hosts,
                                      int nranks, int *rank, struct hitop_diag *diag)
{
    if (nranks > hitop_hierarchy_nranks(h)) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND, "the model has %d ranks, the job has %d",
                          hitop_hierarchy_nranks(h), nranks);
    }
    for (int k = 0; k < nranks; k++) {
        rank[k] = k;
        hosts[k] = hitop_hierarchy_host(h, k);
    }
    return HITOP_OK;
}

static int is_identity(const int *rank, int n)
{
    int k = 0;

    while (k < n && rank[k] == k) {
        k++;
    }
    return k == n;
}

enum hitop_status hitop_validate_place(struct hitop_model *model, const char *const *hosts,
                                       int nranks, struct validate_place *out,
                                       struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const char **own = hosts ? NULL : calloc((size_t)nranks, sizeof(*own));
    enum hitop_status status;

    *out = (struct validate_place){.origin = model, .nranks = nranks};
    out->rank = calloc((size_t)nranks, sizeof(*out->rank));
    if (!out->rank || (!hosts && !own)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "placement: out of memory");
    } else if (hosts) {
        status = find_ranks(h, hosts, nranks, out->rank, diag);
    } else {
        status = number_ranks(h, own, nranks, out->rank, diag);
    }
    if (status == HITOP_OK &&
        !(nranks == hitop_hierarchy_nranks(h) && is_identity(out->rank, nranks))) {
        status = hitop_placement_from_model(model, hosts ? hosts : own, nranks, &out->moved, diag);
    }
    free(own);
    return status;
}

void hitop_validate_place_clear(struct validate_place *place)
{
    hitop_model_free(place->moved);
    hitop_model_free(place->origin);
    free(place->rank);
    *place = (struct validate_place){0};
}

const struct hitop_model *hitop_validate_place_model(const struct validate_place *place)
{
    return place->moved ? place->moved : place->origin;
}
