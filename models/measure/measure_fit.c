/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_fit.c - from the points of each link to the parameters of its class. */
#include <config.h>

#include "models/fit/pool.h"
#include "models/measure/fit_classes.h"
#include "models/measure/fit_processors.h"

enum hitop_status hitop_measure_fit(const char *type, const struct hitop_hierarchy *h,
                                    const struct hitop_measured *links,
                                    const struct hitop_measured *triples,
                                    const struct hitop_provenance *provenance,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *found = NULL;
    struct hitop_model_parts parts = {.type = type, .hierarchy = h, .provenance = provenance};
    struct processors processors = {0};
    struct fitted_classes classes = {0};
    struct pool pool = {0};
    enum hitop_status status = hitop_model_type_find(type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    if (!found->fit) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "model '%s' cannot be fitted", type);
    }
    status = hitop_pool_links(links, found->nprocessor_params > 0, &pool, diag);
    if (status == HITOP_OK && found->nprocessor_params > 0) {
        status = hitop_fit_processors(found, h, triples, &processors, diag);
        if (status == HITOP_OK) {
            status = hitop_bound_processors(found, &pool.measured, &processors, diag);
        }
    }
    if (status == HITOP_OK) {
        status = hitop_fit_classes(found, h, &pool.measured, processors.of, processors.index,
                                   &classes, diag);
    }
    if (status == HITOP_OK) {
        parts.classes = classes.of;
        parts.nclasses = pool.measured.nlinks;
        parts.processors = processors.of;
        parts.nprocessors = processors.n;
        parts.processor_of = processors.index;
        parts.collective = links->collective;
        status = hitop_model_build(&parts, out, diag);
    }
    hitop_processors_clear(&processors);
    hitop_fitted_classes_clear(&classes);
    hitop_pool_clear(&pool);
    return status;
}
