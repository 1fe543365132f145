/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_job_mpi.c - the measurement as a part of an MPI job.
 *
 * Rank 0 alone reads the hierarchy. All ranks learn its verdict before anything else happens, so
 * that a bad file ends the job everywhere; then they learn the links.
 */
#include <config.h>

#include "tools/common/tool_mpi.h"
#include "tools/measure/measure.h"

#include "models/transport/measure_mpi.h"

#include "hierarchy/hwloc/last_level.h"
#include "hierarchy/job/job_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int prepare_on_job(const struct tool *tool, const struct measure_request *request,
                          const struct job *job, struct measure_result *result)
{
    const char **hosts = calloc((size_t)job->nranks, sizeof(*hosts));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status;

    if (!hosts) {
        return tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        hosts[rank] = job->place[rank].host;
    }
    exit_status = measure_prepare(tool, request, hosts, job->nranks, result);
    if (exit_status == TOOL_DONE && !request->run.dry_run) {
        char library[MPI_MAX_LIBRARY_VERSION_STRING];
        tool_mpi_library(library);
        exit_status = measure_journal_open(&result->run, result, hosts, job->nranks, library);
    }
    free(hosts);
    return exit_status;
}

/* Every rank gets rank 0's links of one part. TOOL_DONE everywhere, or TOOL_FAILED everywhere. */
static int share_links(const struct tool *tool, int rank, struct measure_part *part)
{
    const size_t limit = INT_MAX / sizeof(*part->links);
    int is_good = 1, all_good = 0;

    (void)MPI_Bcast(&part->nlinks, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        part->links = calloc((size_t)part->nlinks + 1, sizeof(*part->links));
    }
    is_good = (part->links || part->nlinks == 0) && (size_t)part->nlinks <= limit;
    (void)MPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_good) {
        tool_error(tool, "no memory for %d links", part->nlinks);
        return TOOL_FAILED;
    }
    (void)MPI_Bcast(part->links, part->nlinks * (int)sizeof(*part->links), MPI_BYTE, 0,
                    MPI_COMM_WORLD);
    return TOOL_DONE;
}

/* A failed measurement may leave ranks waiting for each other: nobody goes on. */
static void give_up(const struct tool *tool, const struct hitop_diag *diag)
{
    struct tool loud = *tool;

    loud.quiet = 0;
    tool_error(&loud, "%s", diag->message);
    (void)MPI_Abort(MPI_COMM_WORLD, TOOL_FAILED);
}

static int report(const struct tool *tool, const struct measure_request *request,
                  struct measure_result *result)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    char date[32];

    tool_mpi_library(library);
    tool_mpi_date(date, sizeof(date));
    return measure_report(tool, request, "mpi", library, date, result);
}

/* Everything; of a dry run its prices. */
static enum hitop_status measure_all(const struct hitop_transport *transport,
                                     const struct measure_request *request,
                                     struct hitop_payload *payload, struct measure_result *result,
                                     struct measure_prices *prices, struct hitop_diag *diag)
{
    enum hitop_status status = request->run.dry_run
                                   ? measure_prices_time(transport, result, prices, diag)
                                   : measure_parts_measure(transport, result, diag);

    return status == HITOP_OK && request->scatter_gather && !request->run.dry_run
               ? measure_fans(transport, payload, result, diag)
               : status;
}

static int measure(const struct tool *tool, const struct measure_request *request, int rank,
                   struct measure_result *result)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_payload *payload = NULL;
    struct hitop_transport transport;
    struct measure_prices prices;
    enum hitop_status status = hitop_payload_new(
        request->cache, request->cache == HITOP_CACHE_HOT ? 0 : hitop_last_level_cache(), &payload,
        &diag);

    if (status == HITOP_OK) {
        status = hitop_transport_mpi(MPI_COMM_WORLD, payload, &transport, &diag);
    }
    if (status != HITOP_OK) {
        give_up(tool, &diag);
        return TOOL_FAILED;
    }
    status = measure_all(&transport, request, payload, result, &prices, &diag);
    if (status == HITOP_ERR_INVALID) { /* found before the first message, by all ranks alike */
        transport.close(transport.self);
        hitop_payload_free(payload);
        return tool_fail(tool, status, &diag);
    }
    if (status != HITOP_OK) {
        give_up(tool, &diag);
        return TOOL_FAILED;
    }
    measure_run_end(&transport, &result->run);
    transport.close(transport.self);
    hitop_payload_free(payload);
    if (rank != 0) {
        return TOOL_DONE;
    }
    return request->run.dry_run ? measure_plan_print(tool, request, result, &prices)
                                : report(tool, request, result);
}

/* A rank on its own has nothing to time. */
static int is_alone(void)
{
    int size = 0;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size == 1;
}

int measure_job(const struct tool *tool, struct measure_request *request)
{
    struct measure_result result = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    static const struct job_questions only_names = {.no_facts = 1};
    struct job *job = NULL;
    int exit_status = TOOL_DONE, rank = 0;
    enum hitop_status status;

    if (request->run.dry_run && is_alone()) {
        return measure_plan(tool, request);
    }
    status = hitop_job_gather(MPI_COMM_WORLD, &only_names, &job, &diag);
    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    measure_run_init(&result.run, tool, request);
#ifndef SMPI_H /* in a simulation only the processor takes time */
    result.run.is_watched = 1;
#endif
    if (request->run.dry_run) {
        request->output = request->annotate = request->points = NULL; /* nothing is written */
    }
    measure_parts_init(request, &result);
    if (job) {
        exit_status = prepare_on_job(tool, request, job, &result);
    }
    hitop_job_free(job);
    (void)MPI_Bcast(&exit_status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; exit_status == TOOL_DONE && measure_part_at(&result, i); i++) {
        exit_status = share_links(tool, rank, measure_part_at(&result, i));
    }
    if (exit_status == TOOL_DONE) {
        exit_status = measure(tool, request, rank, &result);
    }
    if (measure_journal_close(&result.run) != TOOL_DONE) {
        exit_status = TOOL_FAILED;
    }
    measure_result_release(&result);
    return exit_status;
}
