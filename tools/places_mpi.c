/* SPDX-License-Identifier: BSD-3-Clause */
/* places_mpi.c - find out where ranks are, by reading a list or by asking them. */
#include <config.h>

#include "places_mpi.h"

#include "hierarchy/binding.h"
#include "hierarchy/hardware.h"
#include "hierarchy/job_mpi.h"
#include "hitop/hosts.h"
#include "tool_mpi.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status read_list(const struct places_request *request, struct hitop_hosts *hosts,
                                   struct hitop_diag *diag)
{
    if (request->hosts) {
        return hitop_hosts_parse(request->hosts, hosts, diag);
    }
    return request->hosts_file ? hitop_hosts_read(request->hosts_file, hosts, diag)
                               : hitop_hosts_read_slurm(hosts, diag);
}

/* Without MPI. */
static int run_on_list(const struct tool *tool, const struct places_request *request,
                       const struct places_work *work)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hosts hosts = {0};
    struct hitop_place *place = NULL;
    int exit_status;
    const enum hitop_status status = read_list(request, &hosts, &diag);

    if (status == HITOP_ERR_INVALID || status == HITOP_ERR_NOTFOUND) {
        return tool_bad_option(tool, places_option(request), &diag);
    }
    if (status != HITOP_OK) {
        exit_status = tool_fail(tool, status, &diag);
        return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : exit_status;
    }
    place = calloc((size_t)hosts.nranks, sizeof(*place));
    for (int rank = 0; rank < hosts.nranks && place; rank++) {
        place[rank] = (struct hitop_place)HITOP_PLACE_INIT(hosts.host[rank]);
        if (hosts.package && !request->no_binding) {
            place[rank].package = hosts.package[rank];
        }
    }
    exit_status = place ? work->run(tool, place, hosts.nranks, work->data)
                        : tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    free(place);
    hitop_hosts_clear(&hosts);
    return exit_status;
}

/* What is odd about the job, and what its owner can do about it. */
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

/* Collective; the work is rank 0's. */
static int run_on_job(const struct tool *tool, const struct places_request *request,
                      const struct places_work *work)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct job *job = NULL;
    int exit_status = TOOL_DONE;
    static const struct job_teller hardware = {"hardware", hardware_tell};
    const struct job_questions questions = {.bind = request->no_binding ? NULL : binding_find,
                                            .tellers = &hardware,
                                            .ntellers = !request->no_hardware};
    const enum hitop_status status = job_gather(MPI_COMM_WORLD, &questions, &job, &diag);

    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    if (job) {
        warn(tool, job);
        exit_status = work->run(tool, job->place, job->nranks, work->data);
    } else if (work->follow) {
        exit_status = work->follow(tool, work->data);
    }
    job_free(job);
    return exit_status;
}

int places_run(struct tool *tool, const struct places_request *request,
               const struct places_work *work)
{
    if (!!request->hosts + !!request->hosts_file + request->slurm_job > 1) {
        tool_error(tool, "--hosts, --hosts-file and --slurm-job exclude each other");
        return tool_mpi_leave(tool, TOOL_USAGE);
    }
    if (places_option(request)) {
        return tool_mpi_is_later_rank() ? TOOL_DONE : run_on_list(tool, request, work);
    }
    (void)tool_mpi_start(tool, NULL, NULL);
    return tool_mpi_finish(run_on_job(tool, request, work));
}

const char *places_option(const struct places_request *request)
{
    if (request->hosts) {
        return "--hosts";
    }
    if (request->hosts_file) {
        return "--hosts-file";
    }
    return request->slurm_job ? "--slurm-job" : NULL;
}

int places_are_here(const struct places_request *request)
{
#ifdef SMPI_H
    (void)request;
    return 0;
#else
    return !request->hosts && !request->hosts_file;
#endif
}
