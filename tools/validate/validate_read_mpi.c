/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_read_mpi.c - give all ranks the model, and find the ranks of the job on its hosts. */
#include <config.h>

#include "tools/common/model_input.h"
#include "tools/validate/validate_run.h"

#include "hierarchy/job/job_mpi.h"
#include "hitop/input.h"
#include "models/transport/agree_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int validate_agree(int exit_status)
{
    int worst = exit_status;

    (void)MPI_Allreduce(&exit_status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

/* All ranks get the text of rank 0; each frees its own. */
static int share_text(const struct tool *tool, char **text, size_t *length)
{
    const enum hitop_status status = hitop_share_text_mpi(MPI_COMM_WORLD, text, length, NULL);

    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, NULL);
}

static int read_model(const struct tool *tool, const struct validate_request *request, int rank,
                      struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    int exit_status = TOOL_DONE;

    if (rank == 0 && hitop_input_read(request->input, &text, &length, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        exit_status = TOOL_BAD_INPUT;
    }
    exit_status = validate_agree(exit_status);
    if (exit_status == TOOL_DONE) {
        exit_status = share_text(tool, &text, &length);
    }
    if (exit_status == TOOL_DONE) {
        const enum hitop_status status =
            tool_model_parse(hitop_input_name(request->input), text, length, 0, out, &diag);
        exit_status =
            validate_agree(status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag));
    }
    free(text);
    return exit_status;
}

/* The host names of all ranks, one after another, at rank 0. */
static char *pack_hosts(const struct job *job, size_t *length)
{
    char *text, *end;

    *length = 0;
    for (int r = 0; r < job->nranks; r++) {
        *length += strlen(job->place[r].host) + 1;
    }
    end = text = malloc(*length + 1);
    for (int r = 0; text && r < job->nranks; r++) {
        end = stpcpy(end, job->place[r].host) + 1;
    }
    return text;
}

/* Find the host of each rank, on all ranks; the caller frees *text and *hosts. */
static int find_hosts(struct validate_run *run, char **text, const char ***hosts)
{
    const struct tool *tool = run->tool;
    const int nranks = run->report.nranks;
    static const struct job_request only_names = {.no_facts = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct job *job = NULL;
    size_t length = 0;
    int exit_status;

    if (hitop_job_gather(MPI_COMM_WORLD, &only_names, &job, &diag) != HITOP_OK) {
        return tool_fail(tool, HITOP_ERR_MPI, &diag);
    }
    if (job) {
        *text = pack_hosts(job, &length);
        run->hosts = hitop_job_list_hosts(job);
    }
    hitop_job_free(job);
    exit_status = share_text(tool, text, &length);
    *hosts = calloc((size_t)nranks, sizeof(**hosts));
    if (exit_status == TOOL_DONE && *hosts) {
        const char *name = *text;
        for (int r = 0; r < nranks; r++) {
            (*hosts)[r] = name;
            name += strlen(name) + 1;
        }
    }
    return validate_agree(*hosts ? exit_status : TOOL_FAILED);
}

/* Find the ranks of the job in the model. Takes ownership of the model, also on failure. */
static int place(struct validate_run *run, struct hitop_model *model)
{
    const struct tool *tool = run->tool;
    const struct validate_request *request = run->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    const char **hosts = NULL;
    int exit_status = find_hosts(run, &text, &hosts);

    if (exit_status == TOOL_DONE) {
        const enum hitop_status status =
            hitop_validate_place(model, run->options->ignore_hosts ? NULL : hosts,
                                 run->report.nranks, &run->place, &diag);
        if (status == HITOP_ERR_NOTFOUND) {
            tool_error(tool, "%s: %s", hitop_input_name(request->input), diag.message);
            exit_status = TOOL_BAD_INPUT;
        } else if (status != HITOP_OK) {
            exit_status = tool_fail(tool, status, &diag);
        }
        exit_status = validate_agree(exit_status);
    } else {
        hitop_model_free(model);
    }
    free(hosts);
    free(text);
    return exit_status;
}

int validate_read(struct validate_run *run)
{
    struct hitop_model *model = NULL;
    const int exit_status = read_model(run->tool, run->request, run->rank, &model);

    if (exit_status != TOOL_DONE) {
        hitop_model_free(model);
        return exit_status;
    }
    return place(run, model);
}
