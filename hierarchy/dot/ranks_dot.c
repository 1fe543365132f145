/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks_dot.c - find the ranks of each leaf of a DOT file. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/text/storage.h"
#include "hierarchy/tree/same_rank.h"

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

/* Give a leaf one rank. */
static enum hitop_status give_rank(struct dot_leaf *leaf, int rank, struct hitop_ranks *ranks,
                                   struct hitop_diag *diag)
{
    leaf->range_begin = ranks->n;
    leaf->nranges = 1;
    return hitop_ranks_add(ranks, &rank, 1, diag);
}

/* The k-th leaf that names a host receives the k-th rank on that host. */
static enum hitop_status match_job(const char *file, struct dot_leaf *leaf, int nleaves,
                                   const struct hitop_dot_job *job, struct hitop_ranks *ranks,
                                   struct hitop_diag *diag)
{
    const int n = job->nranks;
    struct storage storage = {0};
    struct host_entry *slot = NULL; /* ranks by host */
    /* index: first rank of a host; its first slot, slots with a leaf */
    int *first_slot = NULL, *used = NULL;
    struct host_match *match = hitop_host_match_ranks(job->host, n);
    enum hitop_status status = match ? HITOP_OK : HITOP_ERR_NOMEM;

    if (!STORAGE_ARRAY(&storage, slot, n) || !STORAGE_ARRAY(&storage, first_slot, n) ||
        !STORAGE_ARRAY(&storage, used, n)) {
        status = HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < n && status == HITOP_OK; rank++) {
        slot[rank] = (struct host_entry){job->host[rank], rank};
    }
    if (status == HITOP_OK) {
        hitop_sort_by_host(slot, n);
    }
    for (int i = n - 1; i >= 0 && status == HITOP_OK; i--) {
        first_slot[slot[i].rank] = i;
    }
    for (int i = 0; i < nleaves && status == HITOP_OK; i++) {
        const int host = hitop_host_match_find(match, leaf[i].host);
        const int mine = host < 0 ? n : first_slot[host] + used[host]++;

        if (host < 0) {
            status = refuse(file, &leaf[i], "this job has no rank on host", leaf[i].host, diag);
        } else if (mine >= n || strcmp(slot[mine].host, job->host[host]) != 0) {
            status = refuse(file, &leaf[i], "more leaves than this job has ranks on host",
                            leaf[i].host, diag);
        } else {
            status = give_rank(&leaf[i], slot[mine].rank, ranks, diag);
        }
    }
    for (int i = 0, first = 0; i < n && nleaves < n && status == HITOP_OK; i++) {
        first = i > 0 && strcmp(slot[i].host, slot[first].host) == 0 ? first : i;
        if (i >= first + used[slot[first].rank]) {
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no leaf for rank %d on host \"%s\"",
                                file, slot[i].rank, hitop_dot_show(slot[i].host).text);
        }
    }
    hitop_host_match_free(match);
    hitop_storage_clear(&storage);
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
