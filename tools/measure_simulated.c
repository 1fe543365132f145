/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_simulated.c - the whole measurement on the network of a model file, without MPI. */
#include <config.h>

#include "measure_request.h"

#include <stdlib.h>

static enum hitop_status measure(const struct measure_request *request,
                                 const struct hitop_model *truth, struct measure_result *result,
                                 struct hitop_diag *diag)
{
    const struct hitop_simulation simulation = {
        .truth = hitop_model_cost(truth), .noise = request->noise, .seed = request->options.seed};
    struct hitop_transport transport;
    enum hitop_status status = hitop_transport_simulated(&simulation, &transport, diag);

    if (status == HITOP_OK) {
        status = measure_parts_measure(&transport, result, diag);
        transport.close(transport.self);
    }
    return status;
}

int measure_simulated(const struct tool *tool, struct measure_request *request)
{
    struct measure_result result = {0};
    struct hitop_model *truth = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    int exit_status;

    measure_parts_init(request, &result);
    exit_status = measure_prepare(tool, request, NULL, 0, &result);
    if (exit_status != TOOL_DONE) {
        goto out;
    }
    if (hitop_model_read(request->simulate, &truth, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        exit_status = TOOL_BAD_INPUT;
        goto out;
    }
    if (hitop_model_nranks(truth) != hitop_hierarchy_nranks(result.h)) {
        tool_error(tool, "%s: the model has %d ranks, the hierarchy %s has %d", request->simulate,
                   hitop_model_nranks(truth), request->input, hitop_hierarchy_nranks(result.h));
        exit_status = TOOL_BAD_INPUT;
        goto out;
    }
    status = measure(request, truth, &result, &diag);
    exit_status = status == HITOP_OK ? measure_report(tool, request, "simulated", NULL, "", &result)
                                     : tool_fail(tool, status, &diag);

out:
    hitop_model_free(truth);
    measure_result_release(&result);
    return exit_status;
}
