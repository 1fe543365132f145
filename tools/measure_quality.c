/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_quality.c - what a measurement found out about itself goes into its model. */
#include <config.h>

#include "measure_request.h"

enum hitop_status measure_quality_add(const struct measure_request *request,
                                      struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_measurement *m = &result->links.measurement;
    const struct hitop_quality quality = {.seconds = result->run.seconds,
                                          .passes = m->blocks,
                                          .ended_early = measure_run_is_early(&result->run),
                                          .latency = m->latency,
                                          .bandwidth = m->bandwidth,
                                          .tolerance = request->tolerance,
                                          .verified = result->verification.group,
                                          .nverified = result->verification.ngroups};
    struct hitop_model *plain = result->model;
    struct hitop_model_parts parts;
    enum hitop_status status;

    hitop_model_parts_of(plain, &parts);
    parts.quality = &quality;
    status = hitop_model_build(&parts, &result->model, diag);
    hitop_model_free(plain);
    return status;
}
