/* SPDX-License-Identifier: BSD-3-Clause */
/* export_parts.c - what formats share: the ranks of a job, their order. */
#include <config.h>

#include "tools/export/export.h"

#include "coll/predict/placement.h"

#include <stdlib.h>
#include <string.h>

/* Hosts in the order of their first ranks: their first ranks; returns their number. */
static int list_hosts(const struct hitop_hierarchy *h, int *first)
{
    int count = 0;

    for (int rank = 0; rank < hitop_hierarchy_nranks(h); rank++) {
        if (hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank)) == rank) {
            first[count++] = rank;
        }
    }
    return count;
}

/* Several ranks on a host need one with several ranks in the model. */
static enum hitop_status check_host(const struct hitop_hierarchy *h, int first, int ranks_per_host,
                                    struct hitop_diag *diag)
{
    for (int rank = first + 1; rank < hitop_hierarchy_nranks(h) && ranks_per_host > 1; rank++) {
        if (hitop_hierarchy_share_host(h, first, rank)) {
            return HITOP_OK;
        }
    }
    return ranks_per_host == 1
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "%d ranks on host %.80s, which has one in the model: the times of "
                            "messages on it are unknown",
                            ranks_per_host, hitop_hierarchy_host(h, first));
}

/* The model of the first hosts with as many ranks on each. */
static enum hitop_status place(const struct hitop_model *model, int nodes, int ranks_per_host,
                               struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int *first = calloc((size_t)hitop_hierarchy_nranks(h), sizeof(*first));
    const int known = first ? list_hosts(h, first) : 0;
    const char **host = NULL;
    enum hitop_status status = HITOP_OK;

    if (first && nodes > known) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "%d hosts; the model has %d", nodes, known);
    } else if (nodes > HITOP_RANKS_MAX / ranks_per_host) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "more than %d ranks", HITOP_RANKS_MAX);
    } else {
        host = calloc((size_t)nodes * (size_t)ranks_per_host, sizeof(*host));
    }
    if (status == HITOP_OK && (!first || !host)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int n = 0; n < nodes && status == HITOP_OK; n++) {
        status = check_host(h, first[n], ranks_per_host, diag);
        for (int i = 0; i < ranks_per_host; i++) {
            host[n * ranks_per_host + i] = hitop_hierarchy_host(h, first[n]);
        }
    }
    if (status == HITOP_OK) {
        status = hitop_placement_from_model(model, host, nodes * ranks_per_host, out, diag);
    }
    free(host);
    free(first);
    return status;
}

/* Number the hosts, and count their ranks. */
static enum hitop_status number_hosts(struct export_job *job, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(job->model);
    const int nranks = hitop_hierarchy_nranks(h);
    int *on_host = calloc((size_t)nranks, sizeof(*on_host));

    job->host = calloc((size_t)nranks, sizeof(*job->host));
    if (!on_host || !job->host) {
        free(on_host);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int rank = 0; rank < nranks; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        job->host[rank] = first == rank ? job->hosts++ : job->host[first];
        if (++on_host[first] > job->ranks_per_host) {
            job->ranks_per_host = on_host[first];
        }
    }
    free(on_host);
    return HITOP_OK;
}

enum hitop_status export_job_init(struct export_job *job, const struct hitop_model *model,
                                  int nodes, int ranks_per_host, struct hitop_diag *diag)
{
    struct hitop_model_parts parts;
    enum hitop_status status;

    *job = (struct export_job){0};
    if (nodes > 0) {
        status = place(model, nodes, ranks_per_host, &job->model, diag);
    } else {
        hitop_model_parts_of(model, &parts);
        status = hitop_model_build(&parts, &job->model, diag);
    }
    return status == HITOP_OK ? number_hosts(job, diag) : status;
}

void export_job_fini(struct export_job *job)
{
    hitop_model_free(job->model);
    free(job->host);
}

int export_is_internode(const struct hitop_hierarchy *h, int node)
{
    const int first = hitop_hierarchy_first_rank(h, node);
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    for (int i = 0; i < count; i++) {
        if (!hitop_hierarchy_share_host(h, first, hitop_hierarchy_first_rank(h, member[i]))) {
            return 1;
        }
    }
    return 0;
}

int *export_order(const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);
    int *order = calloc((size_t)nranks, sizeof(*order));
    int count = 0;

    for (int node = root; order && node != HITOP_NO_NODE;
         node = hitop_hierarchy_next(h, root, node)) {
        if (node < nranks) {
            order[count++] = node;
        }
    }
    return order;
}

void export_put_origin(const struct export_request *request, const char *mark, const char *what,
                       FILE *to)
{
    fprintf(to, "%s%s for ", mark, what);
    for (int j = 0; j < request->njobs; j++) {
        fprintf(to, "%s%d",
                j == 0                   ? ""
                : j + 1 < request->njobs ? ", "
                                         : " and ",
                hitop_model_nranks(request->jobs[j].model));
    }
    fputs(" ranks; export_tuning wrote it from ", to);
    for (const char *c = request->source; *c; c++) { /* in comments of XML and texts of JSON, too */
        fputc((unsigned char)*c < ' ' || strchr("\"\\", *c) || (*c == '-' && c[1] == '-') ? '?'
                                                                                          : *c,
              to);
    }
    if (request->is_verified) {
        fputs("; launches measured it, and rules that were not faster were left out", to);
    }
}
