/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_quality.c - what a measurement found out about itself goes into its model. */
#include <config.h>

#include "tools/measure/measure.h"

#include <stdlib.h>

/* What was verified of groups that the update has not touched is as true as it was; to be freed. */
static struct hitop_verified *keep_verified(const struct measure_result *result,
                                            struct hitop_quality *out)
{
    const struct hitop_quality *then = hitop_model_quality(result->base);
    const int nnodes = hitop_hierarchy_nnodes(result->h), n = then ? then->nverified : 0;
    char *is_new = calloc((size_t)nnodes, 1);
    struct hitop_verified *kept = calloc((size_t)n + 1, sizeof(*kept));

    for (int i = 0; is_new && i < hitop_model_nclasses(result->base); i++) {
        if (result->verdict.is_all || result->verdict.fate[i] != HITOP_HELD) {
            is_new[hitop_model_class(result->base, i)->node] = 1;
        }
    }
    for (int i = 0; is_new && kept && i < n; i++) {
        if (!is_new[then->verified[i].node]) {
            kept[out->nverified++] = then->verified[i];
        }
    }
    out->tolerance = then ? then->tolerance : 0;
    out->verified = is_new ? kept : NULL;
    free(is_new);
    return kept;
}

/* The part that tells how the measurement went: links, unless none had to be measured again. */
static const struct hitop_measurement *find_course(const struct measure_result *result)
{
    return result->base && result->links.nlinks == 0 ? &result->checks.measurement
                                                     : &result->links.measurement;
}

enum hitop_status measure_quality_add(const struct measure_request *request,
                                      struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_measurement *m = find_course(result);
    struct hitop_quality quality = {.seconds = result->run.seconds,
                                    .passes = m->blocks,
                                    .ended_early = measure_run_is_early(&result->run),
                                    .latency = m->latency,
                                    .bandwidth = m->bandwidth,
                                    .tolerance = request->tolerance,
                                    .verified = result->verification.group,
                                    .nverified = result->verification.ngroups};
    struct hitop_verified *kept = result->base ? keep_verified(result, &quality) : NULL;
    struct hitop_model *plain = result->model;
    struct hitop_model_parts parts;
    enum hitop_status status;

    if (result->base && !quality.verified) {
        free(kept);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    }
    hitop_model_parts_of(plain, &parts);
    parts.quality = &quality;
    status = hitop_model_build(&parts, &result->model, diag);
    hitop_model_free(plain);
    free(kept);
    return status;
}
