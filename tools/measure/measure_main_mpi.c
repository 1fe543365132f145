/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_main_mpi.c - hierarchical_model and flat_model: simulated on the network of a model file,
 * as part of an MPI job, or as a plan only.
 *
 * Rank 0 alone reads the hierarchy. All ranks get its exit status before anything else happens, so
 * that a bad file ends the job on all ranks.
 */
#include <config.h>

#include "hierarchy/hwloc/last_level.h"
#include "hierarchy/job/job_mpi.h"
#include "hierarchy/job/origin_mpi.h"
#include "models/campaign/campaign_mpi.h"
#include "tools/common/model_input.h"
#include "tools/common/signals.h"
#include "tools/common/tool_mpi.h"
#include "tools/measure/measure.h"

#include <stdlib.h>

static int open_journal(struct measure_run *run, const char *const *hosts, const char *mpi)
{
    const struct measure_request *request = run->request;
    char findings[32] = "";
    const struct hitop_campaign_file file = {.path = request->journal,
                                             .resume = request->resume,
                                             .anyway = request->resume_anyway,
                                             .tool = run->name,
                                             .mpi = mpi,
                                             .hosts = hosts,
                                             .cache = request->cache};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    int nfindings;

    if (!request->journal) {
        return TOOL_DONE;
    }
    status = hitop_campaign_journal_open(&run->c, &file, &diag);
    if (status != HITOP_OK) {
        return tool_fail(run->tool, status, &diag);
    }
    hitop_campaign_known(&run->c, &run->nknown, &nfindings);
    if (request->resume && !request->quiet) {
        if (nfindings > 0) {
            (void)snprintf(findings, sizeof(findings), ", and %d findings", nfindings);
        }
        tool_error(run->tool, "%s: %d batches of samples are known%s", request->journal,
                   run->nknown, findings);
    }
    return TOOL_DONE;
}

static void begin_run(struct measure_run *run, const struct tool *tool,
                      struct measure_request *request)
{
    *run = (struct measure_run){.tool = tool, .request = request};
    (void)snprintf(run->name, sizeof(run->name), "%s %s", tool->name, PACKAGE_VERSION);
    if (request->dry_run) {
        request->output = request->annotate = request->points = NULL; /* nothing is written */
    }
    measure_report_to_terminal(run);
    hitop_campaign_init(&run->c, &request->campaign);
}

static int end_run(struct measure_run *run, int exit_status)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_campaign_journal_close(&run->c, &diag);

    if (status != HITOP_OK) {
        (void)tool_fail(run->tool, status, &diag);
        exit_status = TOOL_FAILED;
    }
    hitop_campaign_clear(&run->c);
    hitop_measure_influence_clear(&run->influence);
    return exit_status;
}

/*
 * Prepare without a job. *truth: the model of --simulate, if it is given. The hierarchy of a file
 * may have other hosts than the simulated network, but must have as many ranks.
 */
static int prepare_alone(struct measure_run *run, struct hitop_model **truth)
{
    const struct tool *tool = run->tool;
    const struct measure_request *request = run->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const char **hosts = NULL;
    int exit_status, nranks;

    if (request->simulate && tool_model_read(request->simulate, 0, truth, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    if (request->is_flat && !*truth) {
        tool_error(tool, "--dry-run needs mpirun, or --simulate FILE: a model with as many ranks");
        return TOOL_USAGE;
    }
    nranks = *truth ? hitop_model_nranks(*truth) : 0;
    if (request->is_flat && !(hosts = measure_hosts_of(hitop_model_hierarchy(*truth)))) {
        return tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    }
    exit_status = measure_prepare(run, hosts, nranks);
    free(hosts);
    if (exit_status == TOOL_DONE && *truth && hitop_hierarchy_nranks(run->c.h) != nranks) {
        tool_error(tool, "%s: the model has %d ranks, the hierarchy %s has %d", request->simulate,
                   nranks, request->input, hitop_hierarchy_nranks(run->c.h));
        return TOOL_BAD_INPUT;
    }
    return exit_status;
}

/* The eager limit of a link; in a model without such limits all sends complete alone. */
static size_t eager_of(const void *self, int from, int to)
{
    const struct hitop_class *c = hitop_model_class_of(self, from, to);

    return c->has_eager ? c->eager : HITOP_ALL_SIZES;
}

/* The smallest size whose send waits for its receiver; HITOP_ALL_SIZES: none. */
static size_t synchronous_of(const void *self, int from, int to)
{
    const struct hitop_class *c = hitop_model_class_of(self, from, to);

    if (c->is_synchronous) {
        return c->synchronous;
    }
    return c->has_eager && c->eager != HITOP_ALL_SIZES ? c->eager + 1 : HITOP_ALL_SIZES;
}

/* Run the whole campaign on the network of a model. */
static int simulate(struct measure_run *run, const struct hitop_model *truth)
{
    const struct measure_request *request = run->request;
    struct hitop_simulation simulation = {.truth =
                                              hitop_model_cost(truth), /* with the model as self */
                                          .noise = request->noise,
                                          .eager = eager_of,
                                          .synchronous = synchronous_of};
    const char **hosts = measure_hosts_of(run->c.h);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_transport transport;
    char network[512];
    int exit_status;
    enum hitop_status status;

    (void)snprintf(network, sizeof(network), "none: %.400s, noise %g", request->simulate,
                   request->noise);
    exit_status =
        hosts ? open_journal(run, hosts, network) : tool_fail(run->tool, HITOP_ERR_NOMEM, &diag);
    free(hosts);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    /* a resumed run has other noise than the run before */
    simulation.seed = request->campaign.options.seed + (unsigned long long)run->nknown;
    status = hitop_transport_simulated(&simulation, &transport, &diag);
    if (status == HITOP_OK) {
        signals_catch();
        status = hitop_campaign_measure(&transport, &run->c, &diag);
        transport.close(transport.self);
    }
    return status == HITOP_OK ? measure_report(run, "simulated", NULL, "")
                              : tool_fail(run->tool, status, &diag);
}

/* Run without a job: a simulation, or only the plan of a measurement. */
static int run_alone(const struct tool *tool, struct measure_request *request)
{
    struct measure_run run;
    struct hitop_model *truth = NULL;
    int exit_status;

    begin_run(&run, tool, request);
    exit_status = prepare_alone(&run, &truth);
    if (exit_status == TOOL_DONE && request->dry_run) {
        struct hitop_assumption a = hitop_forecast_usual();
        if (truth) {
            a.noise = request->noise;
            a.cost = hitop_model_cost(truth);
            a.clock_step = 0; /* the simulated clock is exact */
        }
        exit_status = measure_plan_print(&run, &a);
    } else if (exit_status == TOOL_DONE) {
        exit_status = simulate(&run, truth);
    }
    exit_status = end_run(&run, exit_status);
    hitop_model_free(truth);
    return exit_status;
}

/* Prepare in a job, at rank 0. */
static int prepare_on_job(struct measure_run *run, const struct job *job)
{
    const char **hosts = calloc((size_t)job->nranks, sizeof(*hosts));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status;

    if (!hosts) {
        return tool_fail(run->tool, HITOP_ERR_NOMEM, &diag);
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        hosts[rank] = job->place[rank].host;
    }
    exit_status = measure_prepare(run, hosts, job->nranks);
    if (exit_status == TOOL_DONE && !run->request->dry_run) {
        char library[MPI_MAX_LIBRARY_VERSION_STRING];
        hitop_mpi_library(library);
        exit_status = open_journal(run, hosts, library);
    }
    free(hosts);
    return exit_status;
}

static void begin_to_measure(void *data, struct hitop_transport *t)
{
    struct measure_run *run = data;

    measure_watch(run, t);
    if (!run->request->dry_run) {
        signals_catch();
    }
}

/* At rank 0: write the result or print the plan. */
static int report_job(struct measure_run *run, const struct hitop_prices *prices)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING], date[32];
    struct hitop_assumption a = hitop_forecast_usual();

    if (run->request->dry_run) {
        if (prices->n > 0) {
            a.cost = hitop_prices_cost(prices);
            a.clock_step = prices->clock_step;
            a.timed = prices;
        }
        return measure_plan_print(run, &a);
    }
    hitop_mpi_library(library);
    hitop_mpi_date(date, sizeof(date));
    return measure_report(run, "mpi", library, date);
}

static int serve_job(struct measure_run *run)
{
    const enum hitop_cache cache = run->request->cache;
    struct hitop_prices prices;
    const struct hitop_campaign_serving how = {
        .cache = cache,
        .last_level = cache == HITOP_CACHE_HOT ? 0 : hitop_last_level_cache(),
        .opened = begin_to_measure,
        .data = run,
        .prices = run->request->dry_run ? &prices : NULL};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_campaign_serve(MPI_COMM_WORLD, &how, &run->c, &diag);
    int rank;

    if (status == HITOP_ERR_INVALID) { /* found by all ranks before the first message */
        return tool_fail(run->tool, status, &diag);
    }
    if (status != HITOP_OK) {
        tool_mpi_abort(run->tool, &diag);
        return TOOL_FAILED;
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0 ? report_job(run, &prices) : TOOL_DONE;
}

static int run_job(const struct tool *tool, struct measure_request *request, int is_launched)
{
    static const struct job_request only_names = {.no_facts = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct measure_run run;
    struct job *job = NULL;
    int exit_status = TOOL_DONE, size;
    enum hitop_status status;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (request->dry_run && size == 1) { /* one rank has nothing to time */
        return run_alone(tool, request);
    }
    if (size == 1 && is_launched) { /* without a launcher there is such a line already */
        tool_error(tool,
                   "warning: the job has one rank and no links, so the model has no times; "
                   "for more, 'mpirun -n N %s ...'",
                   tool->name);
    }
    status = hitop_job_gather(MPI_COMM_WORLD, &only_names, &job, &diag);
    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    begin_run(&run, tool, request);
#ifndef SMPI_H /* in a simulation only the processor takes time */
    run.is_watched = 1;
#endif
    if (job) {
        exit_status = prepare_on_job(&run, job);
    }
    hitop_job_free(job);
    (void)MPI_Bcast(&exit_status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (exit_status == TOOL_DONE) {
        exit_status = serve_job(&run);
    }
    return end_run(&run, exit_status);
}

int measure_main(struct tool *tool, int is_flat, int argc, char **argv)
{
    struct measure_request request;
    int exit_status, is_launched;

    measure_options(tool, is_flat);
    if (tool_help_or_version(tool, argc, argv)) {
        return tool_finish(tool);
    }
    tool->quiet = tool_mpi_is_later_rank();
    exit_status = measure_request_read(tool, argc, argv, is_flat, &request);
    if (exit_status != TOOL_DONE) {
        exit_status = tool_mpi_leave(tool, exit_status);
    } else if (request.platform) {
        exit_status = tool->quiet ? TOOL_DONE : measure_platform(tool, &request);
    } else if (request.simulate || (request.dry_run && !tool_mpi_is_launched())) {
        exit_status = tool->quiet ? TOOL_DONE : run_alone(tool, &request);
    } else {
        is_launched = tool_mpi_is_launched(); /* MPI_Init may set what this reads */
        (void)tool_mpi_start(tool, &argc, &argv);
        exit_status = tool_mpi_finish(run_job(tool, &request, is_launched));
    }
    measure_request_release(&request);
    return exit_status;
}
