/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks_dot.c - find the ranks of each leaf of a DOT file. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/hostlist/host_match.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status refuse(const char *file, const struct dot_leaf *leaf, const char *why,
                                const char *host, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: node \"%s\": %s%s%s%s", file,
                      hitop_dot_show(leaf->id).text, why, host ? " \"" : "",
                      host ? hitop_dot_show(host).text : "", host ? "\"" : "");
}

static enum hitop_status read_ranks(const char *file, struct dot_leaf *leaf, int nleaves,
                                    struct hitop_ranks *ranks, struct hitop_diag *diag)
{
    for (int i = 0; i < nleaves; i++) {
        struct hitop_diag why = HITOP_DIAG_INIT;
        enum hitop_status status;

        if (!leaf[i].rank_text[0]) {
            return refuse(file, &leaf[i], "no rank, though other leaves have one", NULL, diag);
        }
        leaf[i].range_begin = ranks->n;
        status = hitop_ranks_parse(leaf[i].rank_text, ranks, &why);
        if (status == HITOP_ERR_INVALID) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: node \"%s\": rank %s", file,
                              hitop_dot_show(leaf[i].id).text, hitop_dot_show(why.message).text);
        }
        if (status != HITOP_OK) {
            return hitop_fail(diag, status, "%s: %s", file, why.message);
        }
        leaf[i].nranges = ranks->n - leaf[i].range_begin;
    }
    return HITOP_OK;
}

/* The only rank of a leaf. */
static enum hitop_status give_rank(struct dot_leaf *leaf, int rank, struct hitop_ranks *ranks,
                                   struct hitop_diag *diag)
{
    leaf->range_begin = ranks->n;
    leaf->nranges = 1;
    return hitop_ranks_add(ranks, &rank, 1, diag);
}

/* A rank of the job that needs a leaf. */
struct slot {
    const char *host;
    int rank;
};

static int compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    const int by_host = strcmp(x->host, y->host);

    return by_host ? by_host : (x->rank > y->rank) - (x->rank < y->rank);
}

/* First slot of host, which has one. */
static int find_host(const struct slot *slot, int nslots, const char *host)
{
    int low = 0, high = nslots;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(slot[middle].host, host) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The k-th leaf that names a host is the k-th rank on it. */
static enum hitop_status match_job(const char *file, struct dot_leaf *leaf, int nleaves,
                                   const struct hitop_dot_job *job, struct hitop_ranks *ranks,
                                   struct hitop_diag *diag)
{
    const int n = job->nranks;
    struct slot *slot = calloc((size_t)n + 1, sizeof(*slot));
    int *used =
        calloc((size_t)n + 1, sizeof(*used)); /* at a host's first slot: slots with a leaf */
    struct host_match *match = hitop_host_match_ranks(job->host, n);
    enum hitop_status status = HITOP_OK;

    if (!slot || !used || !match) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", file);
        goto out;
    }
    for (int rank = 0; rank < n; rank++) {
        slot[rank] = (struct slot){.host = job->host[rank], .rank = rank};
    }
    qsort(slot, (size_t)n, sizeof(*slot), compare_slots);
    for (int i = 0; i < nleaves; i++) {
        const int known = hitop_host_match_find(match, leaf[i].host);
        int first, mine;

        if (known < 0) {
            status = refuse(file, &leaf[i], "this job has no rank on host", leaf[i].host, diag);
            goto out;
        }
        first = find_host(slot, n, job->host[known]);
        mine = first + used[first];
        if (mine == n || strcmp(slot[mine].host, job->host[known]) != 0) {
            status = refuse(file, &leaf[i], "more leaves than this job has ranks on host",
                            leaf[i].host, diag);
            goto out;
        }
        status = give_rank(&leaf[i], slot[mine].rank, ranks, diag);
        if (status != HITOP_OK) {
            goto out;
        }
        used[first]++;
    }
    for (int i = 0, first = 0; i < n && nleaves < n; i++) {
        first = i > 0 && strcmp(slot[i].host, slot[first].host) == 0 ? first : i;
        if (i >= first + used[first]) {
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no leaf for rank %d on host \"%s\"",
                                file, slot[i].rank, hitop_dot_show(slot[i].host).text);
            goto out;
        }
    }

out:
    hitop_host_match_free(match);
    free(used);
    free(slot);
    return status;
}

enum hitop_status hitop_dot_assign_ranks(const char *file, struct dot_leaf *leaf, int nleaves,
                                         const struct hitop_dot_job *job, struct hitop_ranks *ranks,
                                         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int ngiven = 0;

    for (int i = 0; i < nleaves; i++) {
        ngiven += leaf[i].rank_text[0] != '\0';
    }
    if (ngiven > 0) {
        return read_ranks(file, leaf, nleaves, ranks, diag);
    }
    if (job) {
        return match_job(file, leaf, nleaves, job, ranks, diag);
    }
    for (int i = 0; i < nleaves && status == HITOP_OK; i++) {
        status = give_rank(&leaf[i], i, ranks, diag);
    }
    return status;
}
