/* SPDX-License-Identifier: BSD-3-Clause */
/* places_mpi.c - find the hosts and processors of ranks, from a list or from the ranks of a job. */
#include <config.h>

#include "hierarchy/hwloc/hardware.h"
#include "hierarchy/hwloc/insides.h"
#include "hierarchy/job/binding.h"
#include "hierarchy/job/job_mpi.h"
#include "tools/common/places.h"
#include "tools/common/tool_mpi.h"

#include "hitop/hosts.h"

#include <stdlib.h>
#include <string.h>

/* Tools about listed hosts need no MPI and ask no rank. */

/* Warn of what is unusual about the job, with a remedy. */
static void warn(const struct tool *tool, const struct job *job)
{
    if (job->warning.message[0]) {
        tool_error(tool, "warning: %s", job->warning.message);
    }
    if (job->nfree > 0) {
        tool_error(
            tool,
            "warning: %d ranks on %d host%s are not bound to processors, so that there are no "
            "levels inside; bind them by mpirun --bind-to core or srun --cpu-bind=cores",
            job->nfree, job->nfree_hosts, job->nfree_hosts > 1 ? "s" : "");
    }
}

/* Gather the places of all ranks; rank 0 does the work. Collective. */
static int run_on_job(const struct tool *tool, const struct places_request *request,
                      const struct places_work *work)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct job *job = NULL;
    int exit_status = TOOL_DONE;
    static const struct job_collector hardware = {"hardware", hitop_hardware_collect};
    const struct job_request questions = {.bind = request->no_binding ? NULL : hitop_binding_find,
                                          .collectors = &hardware,
                                          .ncollectors = !request->no_hardware};
    const enum hitop_status status = hitop_job_gather(MPI_COMM_WORLD, &questions, &job, &diag);

    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    if (job) {
        warn(tool, job);
        exit_status = work->run(tool, job->place, job->nranks, work->data);
    } else if (work->follow) {
        exit_status = work->follow(tool, work->data);
    }
    hitop_job_free(job);
    return exit_status;
}

const char *places_option(const struct places_request *request)
{
    if (request->hosts) {
        return "--hosts";
    }
    if (request->hosts_file) {
        return "--hosts-file";
    }
    if (request->slurm_job) {
        return "--slurm-job";
    }
    return request->files ? request->list_option : NULL;
}

int places_are_here(const struct places_request *request)
{
#ifdef SMPI_H
    (void)request;
    return 0;
#else
    return !places_option(request) || request->slurm_job;
#endif
}

/* The places of ranks from options. */

/* Like tool_fail(), but a file that cannot be read is a bad input. */
static int fail(const struct tool *tool, enum hitop_status status, const struct hitop_diag *diag)
{
    const int exit_status = tool_fail(tool, status, diag);

    return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : exit_status;
}

static void warn_of_insides(const struct tool *tool, const struct insides_report *report)
{
    if (report->stranger) {
        tool_error(tool, "warning: --hwloc: there is no host '%s' in the list", report->stranger);
    }
    if (report->nfull > 0) {
        tool_error(
            tool,
            "warning: --hwloc: %d ranks on '%s' are more than its %d core%s, so that %d host%s "
            "no levels inside",
            report->nranks, report->full, report->ncores, report->ncores > 1 ? "s" : "",
            report->nfull, report->nfull > 1 ? "s have" : " has");
    }
}

static int look_inside(const struct tool *tool, const struct places_request *request,
                       struct insides *insides, struct hitop_place *place, int nplaces)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct insides_report report;
    enum hitop_status status = HITOP_OK;

    /* hwloc prints errors of wrong files itself unless this is set */
    (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
    for (int i = 0; i < request->ninsides && status == HITOP_OK; i++) {
        status = hitop_insides_add(insides, request->inside[i], &diag);
    }
    if (status == HITOP_OK && request->ninsides > 0) {
        status =
            hitop_insides_lay_out(insides, request->no_binding, place, nplaces, &report, &diag);
        if (status == HITOP_OK) {
            warn_of_insides(tool, &report);
        }
    }
    if (status == HITOP_ERR_INVALID) {
        return tool_bad_option(tool, "--hwloc", &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : fail(tool, status, &diag);
}

static enum hitop_status read_list(const struct places_request *request, struct hitop_hosts *hosts,
                                   struct hitop_diag *diag)
{
    if (request->hosts) {
        return hitop_hosts_parse(request->hosts, hosts, diag);
    }
    if (request->files) {
        return hitop_hosts_of_files(request->files, hosts, diag);
    }
    return request->hosts_file ? hitop_hosts_read(request->hosts_file, hosts, diag)
                               : hitop_hosts_read_slurm(hosts, diag);
}

/* Do the work with the place of every rank; returns the exit status. */
static int places_run_on_list(const struct tool *tool, const struct places_request *request,
                              const struct places_work *work)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hosts hosts = {0};
    struct hitop_place *place = NULL;
    struct insides insides = {0};
    int exit_status;
    const enum hitop_status status = read_list(request, &hosts, &diag);

    if (status == HITOP_ERR_INVALID || status == HITOP_ERR_NOTFOUND) {
        return tool_bad_option(tool, places_option(request), &diag);
    }
    if (status != HITOP_OK) {
        return fail(tool, status, &diag);
    }
    if (hosts.warning.message[0]) {
        tool_error(tool, "warning: %s: %s", places_option(request), hosts.warning.message);
    }
    place = calloc((size_t)hosts.nranks, sizeof(*place));
    for (int rank = 0; rank < hosts.nranks && place; rank++) {
        place[rank] = (struct hitop_place)HITOP_PLACE_INIT(hosts.host[rank]);
        if (hosts.package && !request->no_binding) {
            place[rank].part[HITOP_PART_PACKAGE] = hosts.package[rank];
        }
    }
    exit_status = place ? look_inside(tool, request, &insides, place, hosts.nranks)
                        : tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    if (exit_status == TOOL_DONE) {
        exit_status = work->run(tool, place, hosts.nranks, work->data);
    }
    hitop_insides_clear(&insides);
    free(place);
    hitop_hosts_clear(&hosts);
    return exit_status;
}

int places_run(struct tool *tool, const struct places_request *request,
               const struct places_work *work)
{
    if (!!request->hosts + !!request->hosts_file + request->slurm_job > 1) {
        tool_error(tool, "--hosts, --hosts-file and --slurm-job exclude each other");
        return tool_mpi_leave(tool, TOOL_USAGE);
    }
    if (request->ninsides > 0 && !places_option(request)) {
        tool_error(tool,
                   "--hwloc needs --hosts, --hosts-file or --slurm-job; the hosts of a job are "
                   "asked themselves");
        return tool_mpi_leave(tool, TOOL_USAGE);
    }
    if (places_option(request)) {
        return tool_mpi_is_later_rank() ? TOOL_DONE : places_run_on_list(tool, request, work);
    }
    (void)tool_mpi_start(tool, NULL, NULL);
    return tool_mpi_finish(run_on_job(tool, request, work));
}
