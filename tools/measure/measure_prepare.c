/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_prepare.c - a hierarchy that fits the job, and the links to measure in it. */
#include <config.h>

#include "tools/measure/measure.h"

#include "hitop/dot.h"
#include "hitop/output.h"

static int check_ranks(const struct tool *tool, const struct measure_request *request,
                       const struct hitop_hierarchy *h, const char *const *hosts, int nranks)
{
    const int expected = hitop_hierarchy_nranks(h);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int rank = nranks;

    if (expected != nranks) {
        tool_error(tool, "%s: the hierarchy has %d ranks, the job has %d; run with mpirun -n %d",
                   request->input, expected, nranks, expected);
        return TOOL_BAD_INPUT;
    }
    if (!request->ignore_hosts) {
        const enum hitop_status status = measure_find_stranger(h, hosts, &rank, &diag);
        if (status != HITOP_OK) {
            return tool_fail(tool, status, &diag);
        }
    }
    if (rank < nranks) {
        tool_error(tool,
                   "%s: rank %d runs on '%s', but the hierarchy has it on '%s'; "
                   "--ignore-hosts if that is meant",
                   request->input, rank, hosts[rank], hitop_hierarchy_host(h, rank));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Find out before the measurement, not after it, that a file cannot be written. */
static int check_output(const struct tool *tool, const char *path)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = path ? hitop_output_check(path, &diag) : HITOP_OK;

    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

/* A hierarchy that is annotated and a model that is updated may stay where they are. */
static int keep_inputs(const struct tool *tool, const struct measure_request *r)
{
    const struct tool_file model = {"-o", r->output}, hierarchy = {"--annotate", r->annotate};
    const struct tool_file points = {"--points", r->points};
    const struct tool_file input[] = {
        {"-i", r->input}, {"--simulate", r->simulate}, {"--update", r->update}};
    int status = tool_keep_inputs(tool, &model, 1, input, 2);

    if (status == TOOL_DONE) {
        status = tool_keep_inputs(tool, &hierarchy, 1, input + 1, 2);
    }
    return status == TOOL_DONE ? tool_keep_inputs(tool, &points, 1, input, 3) : status;
}

/* The hierarchy of a file, which must fit the ranks; or one that says nothing about them. */
static int find_hierarchy(const struct tool *tool, const struct measure_request *request,
                          const char *const *hosts, int nranks, struct measure_result *result)
{
    const struct hitop_dot_job job = {.host = hosts, .nranks = nranks};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (request->is_flat) {
        status = hitop_hierarchy_flat(hosts, nranks, &result->h, &diag);
        return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    }
    status = hitop_dot_read(request->input, hosts && !request->ignore_hosts ? &job : NULL,
                            &result->h, &diag);
    if (status == HITOP_ERR_IO || status == HITOP_ERR_FORMAT) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    return hosts ? check_ranks(tool, request, result->h, hosts, nranks) : TOOL_DONE;
}

int measure_prepare(const struct tool *tool, const struct measure_request *request,
                    const char *const *hosts, int nranks, struct measure_result *result)
{
    const char *const outputs[] = {request->output, request->annotate, request->points};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status = keep_inputs(tool, request);

    if (exit_status == TOOL_DONE) {
        exit_status = find_hierarchy(tool, request, hosts, nranks, result);
    }
    if (exit_status == TOOL_DONE && request->update) {
        exit_status = measure_update_read(tool, request, result);
    }
    if (exit_status == TOOL_DONE) {
        const enum hitop_status status = measure_parts_choose(request, result, &diag);
        exit_status = status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    }
    for (size_t i = 0; exit_status == TOOL_DONE && i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        exit_status = check_output(tool, outputs[i]);
    }
    return exit_status;
}
