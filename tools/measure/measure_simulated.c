/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_simulated.c - the whole measurement on the network of a model file, without MPI. */
#include <config.h>

#include "tools/measure/measure.h"

#include <stdlib.h>

/* A model that knows nothing of eager limits has none. */
static size_t eager_of(const void *self, int from, int to)
{
    const struct hitop_class *c = hitop_model_class_of(self, from, to);

    return c->has_eager ? c->eager : HITOP_ALL_SIZES;
}

static enum hitop_status measure(const struct measure_request *request,
                                 const struct hitop_model *truth, struct measure_result *result,
                                 struct hitop_diag *diag)
{
    const struct hitop_simulation simulation = {
        .truth = hitop_model_cost(truth), /* with the model as self */
        .noise = request->noise,
        .eager = eager_of,
        /* the noise of a run that goes on is not that of the run before */
        .seed = request->options.seed + (unsigned long long)measure_journal_nknown(&result->run)};
    struct hitop_transport transport;
    enum hitop_status status = hitop_transport_simulated(&simulation, &transport, diag);

    if (status == HITOP_OK) {
        status = measure_parts_measure(&transport, result, diag);
        measure_run_end(&transport, &result->run);
        transport.close(transport.self);
    }
    return status;
}

/* The journal of this run, in the name of the hosts of the hierarchy. */
static int open_journal(struct measure_result *result, const struct measure_request *request)
{
    const int nranks = hitop_hierarchy_nranks(result->h);
    const char **hosts = calloc((size_t)nranks + 1, sizeof(*hosts));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char network[512];
    int exit_status;

    if (!hosts) {
        return tool_fail(result->run.tool, HITOP_ERR_NOMEM, &diag);
    }
    for (int rank = 0; rank < nranks; rank++) {
        hosts[rank] = hitop_hierarchy_host(result->h, rank);
    }
    (void)snprintf(network, sizeof(network), "none: %.400s, noise %g", request->simulate,
                   request->noise);
    exit_status = measure_journal_open(&result->run, result, hosts, nranks, network);
    free(hosts);
    return exit_status;
}

/* The hosts of a model's ranks; to be freed. */
static const char **hosts_of(const struct hitop_model *model)
{
    const int nranks = hitop_model_nranks(model);
    const char **hosts = calloc((size_t)nranks + 1, sizeof(*hosts));

    for (int rank = 0; hosts && rank < nranks; rank++) {
        hosts[rank] = hitop_hierarchy_host(hitop_model_hierarchy(model), rank);
    }
    return hosts;
}

/* A file's hierarchy has hosts of its own, but the ranks of the simulated network. */
static int prepare(const struct tool *tool, const struct measure_request *request,
                   const struct hitop_model *truth, struct measure_result *result)
{
    const char **hosts = request->is_flat ? hosts_of(truth) : NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status;

    if (request->is_flat && !hosts) {
        return tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    }
    exit_status =
        measure_prepare(tool, request, hosts, truth ? hitop_model_nranks(truth) : 0, result);
    free(hosts);
    if (exit_status == TOOL_DONE && truth &&
        hitop_hierarchy_nranks(result->h) != hitop_model_nranks(truth)) {
        tool_error(tool, "%s: the model has %d ranks, the hierarchy %s has %d", request->simulate,
                   hitop_model_nranks(truth), request->input, hitop_hierarchy_nranks(result->h));
        return TOOL_BAD_INPUT;
    }
    return exit_status;
}

int measure_prepare_alone(const struct tool *tool, const struct measure_request *request,
                          struct measure_result *result, struct hitop_model **truth)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *truth = NULL;
    if (request->simulate && hitop_model_read(request->simulate, truth, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    if (request->is_flat && !*truth) {
        tool_error(tool, "--dry-run needs mpirun, or --simulate FILE: a model with as many ranks");
        return TOOL_USAGE;
    }
    return prepare(tool, request, *truth, result);
}

int measure_simulated(const struct tool *tool, struct measure_request *request)
{
    struct measure_result result = {0};
    struct hitop_model *truth = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    int exit_status;

    measure_run_init(&result.run, tool, request);
    measure_parts_init(request, &result);
    exit_status = measure_prepare_alone(tool, request, &result, &truth);
    if (exit_status == TOOL_DONE) {
        exit_status = open_journal(&result, request);
    }
    if (exit_status == TOOL_DONE) {
        status = measure(request, truth, &result, &diag);
        exit_status = status == HITOP_OK
                          ? measure_report(tool, request, "simulated", NULL, "", &result)
                          : tool_fail(tool, status, &diag);
    }
    if (measure_journal_close(&result.run) != TOOL_DONE) {
        exit_status = TOOL_FAILED;
    }
    hitop_model_free(truth);
    measure_result_release(&result);
    return exit_status;
}
