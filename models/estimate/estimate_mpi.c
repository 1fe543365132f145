/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate_mpi.c - measure a model of the ranks of a communicator from within a program.
 *
 * Idea:  rank 0 decides and all ranks follow: each step of rank 0 alone ends with a broadcast of
 *        its status and message. The measurement itself is that of the programs.
 */
#include <config.h>

#include "models/estimate/estimate_impl_mpi.h"

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/hwloc/hardware.h"
#include "hierarchy/hwloc/last_level.h"
#include "hierarchy/job/binding.h"
#include "hierarchy/job/job_mpi.h"
#include "hierarchy/job/origin_mpi.h"
#include "models/campaign/campaign_mpi.h"
#include "models/transport/agree_mpi.h"

#include <limits.h>

/* A call of hitop_estimate(). The options are known to rank 0 only. */
struct estimation {
    MPI_Comm comm;
    int rank, size;
    struct hitop_estimate_options o;
    struct hitop_estimate_plan plan;
    struct hitop_campaign c;
    int ends; /* at rank 0: the program has asked for the end */
};

static void note_progress(void *data, const struct hitop_progress *progress)
{
    struct estimation *e = data;
    struct hitop_progress now = *progress;

    now.elapsed += e->c.elapsed;
    if (e->o.progress(e->o.progress_data, &now)) {
        e->ends = 1;
    }
}

static int is_ended(void *data)
{
    const struct estimation *e = data;

    return e->ends;
}

/* Rank 0 makes the plan; all ranks get it. */
static enum hitop_status plan(struct estimation *e, const struct hitop_estimate_options *options,
                              struct hitop_diag *diag)
{
    struct hitop_measure_options *m = &e->plan.request.options;
    enum hitop_status status = HITOP_OK;

    if (e->rank == 0) {
        status = hitop_estimate_adopt(options, &e->o, diag);
        if (status == HITOP_OK) {
            status = hitop_estimate_plan(&e->o, &e->plan, diag);
        }
    }
    status = hitop_estimate_follow(e->comm, status, diag);
    if (status == HITOP_OK) {
        status = hitop_estimate_share_plan(e->comm, &e->plan, diag);
    }
    m->progress = e->rank == 0 && e->o.progress ? note_progress : NULL;
    m->progress_data = m->interrupted_data = e;
    m->interrupted = is_ended;
    return status;
}

/* The hierarchy or model of the program must have the ranks of the job, on the same hosts. */
static enum hitop_status check_hosts(const struct hitop_hierarchy *h, const char *option,
                                     const char *const *hosts, int nranks, struct hitop_diag *diag)
{
    int rank = nranks;
    enum hitop_status status;

    if (hitop_hierarchy_nranks(h) != nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "options.%s: it has %d ranks, the communicator %d", option,
                          hitop_hierarchy_nranks(h), nranks);
    }
    status = hitop_host_match_stranger(h, hosts, &rank, diag);
    return status == HITOP_OK && rank < nranks
               ? hitop_fail(diag, HITOP_ERR_INVALID,
                            "options.%s: rank %d runs on '%s', not on '%s'", option, rank,
                            hosts[rank], hitop_hierarchy_host(h, rank))
               : status;
}

/* A copy of a hierarchy that fits the job. */
static enum hitop_status adopt_tree(struct estimation *e, const struct hitop_hierarchy *h,
                                    const char *option, const char *const *hosts,
                                    struct hitop_diag *diag)
{
    const enum hitop_status status = check_hosts(h, option, hosts, e->size, diag);

    return status == HITOP_OK ? hitop_hierarchy_copy(h, NULL, NULL, &e->c.h, diag) : status;
}

/* The groups of the ranks, at rank 0. */
static enum hitop_status find_tree(struct estimation *e, const struct job *job,
                                   const char *const *hosts, struct hitop_diag *diag)
{
    static const struct hitop_grouping usual = {0};

    if (e->o.earlier) {
        return adopt_tree(e, hitop_model_hierarchy(e->o.earlier), "earlier", hosts, diag);
    }
    switch (e->o.tree) {
    case HITOP_TREE_GIVEN:
        return adopt_tree(e, e->o.hierarchy, "hierarchy", hosts, diag);
    case HITOP_TREE_HOSTS:
        return hitop_hierarchy_group(job->place, e->size, e->o.grouping ? e->o.grouping : &usual,
                                     &e->c.h, diag);
    case HITOP_TREE_FLAT:
        break;
    }
    return hitop_hierarchy_flat(hosts, e->size, &e->c.h, diag);
}

/* Groups and links, at rank 0. */
static enum hitop_status choose(struct estimation *e, const struct job *job,
                                struct hitop_diag *diag)
{
    const char **hosts = calloc((size_t)e->size, sizeof(*hosts));
    struct hitop_model_parts parts;
    enum hitop_status status =
        hosts ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "hosts: out of memory");

    for (int rank = 0; status == HITOP_OK && rank < e->size; rank++) {
        hosts[rank] = job->place[rank].host;
    }
    if (status == HITOP_OK) {
        status = find_tree(e, job, hosts, diag);
    }
    if (status == HITOP_OK && e->o.earlier) {
        hitop_model_parts_of(e->o.earlier, &parts);
        status = hitop_model_build(&parts, &e->c.base, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_campaign_choose(&e->c, diag);
    }
    free(hosts);
    return status;
}

/* Gather the hosts of all ranks, and prepare the campaign. */
static enum hitop_status prepare(struct estimation *e, struct hitop_diag *diag)
{
    static const struct job_collector hardware = {"hardware", hitop_hardware_collect};
    const int is_grouped = e->plan.tree == HITOP_TREE_HOSTS;
    const struct job_request questions = {.bind = is_grouped ? hitop_binding_find : NULL,
                                          .collectors = &hardware,
                                          .ncollectors = is_grouped,
                                          .no_facts = !is_grouped};
    struct job *job = NULL;
    enum hitop_status status = hitop_job_gather(e->comm, &questions, &job, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (job) {
        status = choose(e, job, diag);
    }
    hitop_job_free(job);
    return hitop_estimate_follow(e->comm, status, diag);
}

static enum hitop_status measure(struct estimation *e, struct hitop_diag *diag)
{
    const enum hitop_cache cache = e->plan.cache;
    const struct hitop_campaign_serving how = {
        .cache = cache, .last_level = cache == HITOP_CACHE_HOT ? 0 : hitop_last_level_cache()};

    return hitop_campaign_serve(e->comm, &how, &e->c, diag);
}

/* Fit the model, at rank 0. */
static enum hitop_status fit(struct estimation *e, struct hitop_diag *diag)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING], date[32];
    const struct hitop_provenance provenance = {.tool = "hitop_estimate " PACKAGE_VERSION,
                                                .mpi_library = library,
                                                .transport = "mpi",
                                                .cache = hitop_cache_name(e->plan.cache),
                                                .date = date,
                                                .seed = e->plan.request.options.seed,
                                                .confidence = e->plan.request.options.confidence};

    if (!hitop_campaign_is_complete(&e->c)) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "the measurement ended before every size had samples: no model");
    }
    hitop_mpi_library(library);
    hitop_mpi_date(date, sizeof(date));
    return hitop_campaign_fit(&e->c, &provenance, diag);
}

/* What is known of the measurement, at rank 0. */
static struct hitop_estimate_report describe(const struct estimation *e)
{
    const struct hitop_campaign *c = &e->c;
    struct hitop_estimate_report out = {.nlinks = c->links.nlinks,
                                        .nsizes = c->njobs,
                                        .nunsettled = c->nunsettled,
                                        .nleft_out = c->nleft_out,
                                        .ended_early = hitop_campaign_is_early(c),
                                        .seconds = c->seconds};

    if (c->base) {
        out.nclasses = hitop_model_nclasses(c->base);
        out.nheld = c->verdict.nheld;
        for (int i = 0; i < out.nclasses; i++) {
            out.ndrifted += c->verdict.drift[i] == HITOP_DRIFTED;
        }
        out.nunclear = out.nclasses - out.nheld - out.ndrifted;
    }
    return out;
}

/* All ranks get model and report. */
static enum hitop_status finish(struct estimation *e, struct hitop_estimate_report *report,
                                struct hitop_diag *diag)
{
    struct hitop_estimate_report all = {0};
    enum hitop_status status = e->rank == 0 ? fit(e, diag) : HITOP_OK;

    status = hitop_estimate_follow(e->comm, status, diag);
    if (status == HITOP_OK) {
        status = hitop_estimate_share_model(e->comm, &e->c.model, diag);
    }
    if (status == HITOP_OK && e->rank == 0) {
        all = describe(e);
    }
    if (status == HITOP_OK) {
        status = hitop_share_bytes_mpi(e->comm, &all, sizeof(all), diag);
    }
    if (status == HITOP_OK && report) {
        all.size = report->size;
        memcpy(report, &all, report->size < sizeof(all) ? report->size : sizeof(all));
    }
    return status;
}

static enum hitop_status run(struct estimation *e, const struct hitop_estimate_options *options,
                             struct hitop_model **out, struct hitop_estimate_report *report,
                             struct hitop_diag *diag)
{
    enum hitop_status status = plan(e, options, diag);

    if (status == HITOP_OK) {
        hitop_campaign_init(&e->c, &e->plan.request);
        status = prepare(e, diag);
        if (status == HITOP_OK) {
            status = measure(e, diag);
        }
        if (status == HITOP_OK) {
            status = finish(e, report, diag);
        }
        if (status == HITOP_OK) {
            *out = e->c.model;
            e->c.model = NULL;
        }
        hitop_campaign_clear(&e->c);
    }
    free(e->plan.sizes);
    return status;
}

enum hitop_status hitop_estimate(MPI_Comm comm, const struct hitop_estimate_options *options,
                                 struct hitop_model **out, struct hitop_estimate_report *report,
                                 struct hitop_diag *diag)
{
    struct estimation e = {.comm = MPI_COMM_NULL};
    struct hitop_diag why = HITOP_DIAG_INIT; /* broadcast, also for a caller without one */
    enum hitop_status status;
    int is_inter = 0;

    *out = NULL;
    if (comm == MPI_COMM_NULL) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "MPI_COMM_NULL has no model");
    }
    (void)MPI_Comm_test_inter(comm, &is_inter);
    if (is_inter) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "an intercommunicator has no model; merge its groups");
    }
    status =
        hitop_transport_check(MPI_Comm_dup(comm, &e.comm), "duplicating the communicator", diag);
    if (status != HITOP_OK) {
        return status;
    }
    (void)MPI_Comm_set_errhandler(e.comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(e.comm, &e.rank);
    (void)MPI_Comm_size(e.comm, &e.size);
    status = run(&e, options, out, report, &why);
    (void)MPI_Comm_free(&e.comm);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "%s", why.message);
}
