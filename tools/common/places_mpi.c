/* SPDX-License-Identifier: BSD-3-Clause */
/* places_mpi.c - find out where ranks are, by reading a list or by asking them. */
#include <config.h>

#include "tools/common/places_mpi.h"

#include "hierarchy/hwloc/hardware.h"
#include "hierarchy/job/binding.h"
#include "hierarchy/job/job_mpi.h"
#include "tools/common/places_list.h"
#include "tools/common/tool_mpi.h"

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
