/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_fit.c - from the points of each link to the parameters of its class, in a new model or in
 * place of old ones. */
#include <config.h>

#include "models/fit/pool.h"
#include "models/measure/fit_classes.h"
#include "models/measure/fit_processors.h"
#include "models/measure/update.h"

#include <stdlib.h>
#include <string.h>

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

/* What stays is as old as it was: its own date, or that of the model, unless it is today's. */
static const char *date_of(const char *own, const struct hitop_provenance *then,
                           const struct hitop_provenance *now)
{
    const char *today = now && now->date ? now->date : "";
    const char *date = own ? own : then->date ? then->date : "";

    return strcmp(date, today) == 0 ? NULL : date;
}

/* The classes of the new model: those that stay, then the new ones. */
static struct hitop_class *merge(const struct hitop_model *model,
                                 const struct hitop_measured *links,
                                 const struct fitted_classes *fitted, int nfitted,
                                 const struct hitop_provenance *provenance, int *n)
{
    const int nold = hitop_model_nclasses(model);
    char *is_gone = calloc((size_t)nold + 1, 1);
    struct hitop_class *all = calloc((size_t)nold + (size_t)nfitted + 1, sizeof(*all));

    *n = 0;
    if (!is_gone || !all) {
        free(is_gone);
        free(all);
        return NULL;
    }
    for (int i = 0; i < links->nlinks; i++) {
        is_gone[class_index(model, &links->links[i])] = 1;
    }
    for (int i = 0; i < nold; i++) {
        if (!is_gone[i]) {
            all[*n] = *hitop_model_class(model, i);
            all[*n].date = date_of(all[*n].date, hitop_model_provenance(model), provenance);
            (*n)++;
        }
    }
    for (int i = 0; i < nfitted; i++) {
        all[(*n)++] = fitted->of[i];
    }
    free(is_gone);
    return all;
}

static struct hitop_processor *date_processors(const struct hitop_model *model,
                                               const struct hitop_provenance *provenance)
{
    const int n = hitop_model_nprocessors(model);
    struct hitop_processor *all = calloc((size_t)n + 1, sizeof(*all));

    for (int i = 0; all && i < n; i++) {
        all[i] = *hitop_model_processor(model, i);
        all[i].date = date_of(all[i].date, hitop_model_provenance(model), provenance);
    }
    return all;
}

enum hitop_status hitop_update_fit(const struct hitop_model *model, const struct hitop_hierarchy *h,
                                   const struct hitop_measured *links,
                                   const struct hitop_provenance *provenance,
                                   struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    struct hitop_class *classes = NULL;
    struct hitop_processor *processors = NULL;
    struct fitted_classes fitted = {0};
    struct hitop_model_parts parts;
    struct pool pool = {0};
    enum hitop_status status = hitop_pool_links(links, type->nprocessor_params > 0, &pool, diag);

    *out = NULL;
    hitop_model_parts_of(model, &parts);
    if (status == HITOP_OK) {
        status =
            hitop_fit_classes(type, h, &pool.measured, parts.nprocessors ? parts.processors : NULL,
                              parts.processor_of, &fitted, diag);
    }
    if (status == HITOP_OK) {
        classes = merge(model, links, &fitted, pool.measured.nlinks, provenance, &parts.nclasses);
        processors = date_processors(model, provenance);
        status = classes && processors ? HITOP_OK
                                       : hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    }
    if (status == HITOP_OK) {
        parts.hierarchy = h;
        parts.classes = classes;
        parts.processors = parts.nprocessors ? processors : NULL;
        parts.collective = links->collective ? links->collective : parts.collective;
        parts.provenance = provenance;
        parts.quality = NULL;
        status = hitop_model_build(&parts, out, diag);
    }
    free(processors);
    free(classes);
    hitop_fitted_classes_clear(&fitted);
    hitop_pool_clear(&pool);
    return status;
}
