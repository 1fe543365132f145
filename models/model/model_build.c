/* SPDX-License-Identifier: BSD-3-Clause */
/* model_build.c - check the parts of a model and copy them. */
#include <config.h>

#include "models/model/model_impl.h"

#include <stdlib.h>

static enum hitop_status adopt_processors(struct hitop_model *model,
                                          const struct hitop_model_parts *parts,
                                          struct hitop_diag *diag)
{
    const int n = parts->nprocessors, nranks = hitop_hierarchy_nranks(model->hierarchy);

    if (n > 0 && model->type->nprocessor_params == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s has no parameters of processors",
                          model->type->name);
    }
    for (int i = 0; i < n; i++) {
        struct hitop_diag reason = HITOP_DIAG_INIT;
        const enum hitop_status status =
            hitop_model_check_processor(model->type, nranks, &parts->processors[i], &reason);
        if (status != HITOP_OK) {
            return hitop_fail(diag, status, "class %d of processors: %s", i, reason.message);
        }
    }
    for (int rank = 0; parts->processor_of && n > 0 && rank < nranks; rank++) {
        const int index = parts->processor_of[rank];
        if (index < 0 || index >= n) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "rank %d has class %d of processors, not one of 0..%d", rank, index,
                              n - 1);
        }
    }
    model->nprocessors = n;
    model->processors =
        hitop_memory_copy(&model->memory, parts->processors, (size_t)n, sizeof(*model->processors));
    if (n > 1) {
        model->processor_of = parts->processor_of
                                  ? hitop_memory_copy(&model->memory, parts->processor_of,
                                                      (size_t)nranks, sizeof(int))
                                  : hitop_memory_take(&model->memory, (size_t)nranks, sizeof(int));
    }
    return model->memory.failed ? hitop_model_out_of_memory(diag) : HITOP_OK;
}

/* Copy the arrays and texts of classes and processors. */
static enum hitop_status adopt_numbers(struct hitop_model *model, struct hitop_diag *diag)
{
    const size_t n = model->type->nparams, m = model->type->nprocessor_params;
    const size_t size = sizeof(double);
    struct memory *memory = &model->memory;

    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_class *c = &model->classes[i];
        c->params = hitop_memory_copy(memory, c->params, n, size);
        c->se = hitop_memory_copy(memory, c->se, n, size);
        c->lo = hitop_memory_copy(memory, c->lo, n, size);
        c->hi = hitop_memory_copy(memory, c->hi, n, size);
        c->table =
            hitop_memory_copy(memory, c->table, (size_t)c->nrows * model->type->ncolumns, size);
        c->pairs = c->npairs > 0
                       ? hitop_memory_copy(memory, c->pairs, (size_t)c->npairs, sizeof(*c->pairs))
                       : NULL;
        c->times = c->ntimes > 0
                       ? hitop_memory_copy(memory, c->times, (size_t)c->ntimes, sizeof(*c->times))
                       : NULL;
        c->date = hitop_memory_text(memory, c->date);
    }
    for (int i = 0; i < model->nprocessors; i++) {
        struct hitop_processor *p = &model->processors[i];
        p->params = hitop_memory_copy(memory, p->params, m, size);
        p->se = hitop_memory_copy(memory, p->se, m, size);
        p->lo = hitop_memory_copy(memory, p->lo, m, size);
        p->hi = hitop_memory_copy(memory, p->hi, m, size);
        p->date = hitop_memory_text(memory, p->date);
    }
    return memory->failed ? hitop_model_out_of_memory(diag) : HITOP_OK;
}

static enum hitop_status adopt_collective(struct hitop_model *model, const double *given,
                                          struct hitop_diag *diag)
{
    const size_t n = model->type->ncollective_params;

    if (given && n == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s has no numbers of collectives",
                          model->type->name);
    }
    model->collective = hitop_memory_copy(&model->memory, given, n, sizeof(*given));
    return given ? hitop_model_check_collective(model->type, given, diag) : HITOP_OK;
}

/* Set the eager limits if all are known: the measured ones, the others by the formula. */
static enum hitop_status find_limits(struct hitop_model *model, struct hitop_diag *diag)
{
    int nmeasured = 0;

    for (int c = 0; c < model->nclasses; c++) {
        nmeasured += model->classes[c].has_eager;
    }
    if (model->nclasses <= 0 || (nmeasured < model->nclasses && !model->type->eager)) {
        return HITOP_OK;
    }
    model->eager =
        hitop_memory_take(&model->memory, (size_t)model->nclasses, sizeof(*model->eager));
    if (!model->eager) {
        return hitop_model_out_of_memory(diag);
    }
    for (int c = 0; c < model->nclasses; c++) {
        struct hitop_terms terms;
        hitop_model_class_terms(&model->classes[c], &terms);
        model->eager[c] =
            model->classes[c].has_eager ? model->classes[c].eager : model->type->eager(&terms);
    }
    return HITOP_OK;
}

static enum hitop_status adopt_quality(struct hitop_model *model, const struct hitop_quality *given,
                                       struct hitop_diag *diag)
{
    struct hitop_diag reason = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!given) {
        return HITOP_OK;
    }
    status = hitop_model_check_quality(model->hierarchy, given, &reason);
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "quality: %s", reason.message);
    }
    model->quality = hitop_memory_copy(&model->memory, given, 1, sizeof(*given));
    if (model->quality) {
        model->quality->verified =
            given->nverified > 0
                ? hitop_memory_copy(&model->memory, given->verified, (size_t)given->nverified,
                                    sizeof(*given->verified))
                : NULL;
    }
    return HITOP_OK;
}

static void adopt_provenance(struct hitop_model *model, const struct hitop_provenance *given)
{
    struct hitop_provenance *p = &model->provenance;
    const char **const texts[] = {&p->tool,      &p->command, &p->mpi_library,
                                  &p->transport, &p->cache,   &p->date};

    *p = given ? *given : (struct hitop_provenance){0};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i] = hitop_memory_text(&model->memory, *texts[i]);
    }
}

static enum hitop_status fill(struct hitop_model *model, const struct hitop_model_parts *parts,
                              struct hitop_diag *diag)
{
    enum hitop_status status =
        hitop_hierarchy_copy(parts->hierarchy, NULL, NULL, &model->hierarchy, diag);

    if (status == HITOP_OK) {
        status = hitop_model_adopt_classes(model, parts, diag);
    }
    if (status == HITOP_OK) {
        status = adopt_processors(model, parts, diag);
    }
    if (status == HITOP_OK) {
        status = adopt_numbers(model, diag);
    }
    if (status == HITOP_OK) {
        status = adopt_collective(model, parts->collective, diag);
    }
    if (status == HITOP_OK) {
        status = find_limits(model, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_model_find_capacities(model, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_model_find_kinds(model, diag);
    }
    if (status == HITOP_OK) {
        status = adopt_quality(model, parts->quality, diag);
    }
    if (status == HITOP_OK) {
        adopt_provenance(model, parts->provenance);
        status = model->memory.failed ? hitop_model_out_of_memory(diag) : HITOP_OK;
    }
    return status;
}

enum hitop_status hitop_model_build(const struct hitop_model_parts *parts, struct hitop_model **out,
                                    struct hitop_diag *diag)
{
    const struct hitop_model_type *type = NULL;
    struct hitop_model *model;
    enum hitop_status status = hitop_model_type_find(parts->type, &type, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    model = calloc(1, sizeof(*model));
    if (!model) {
        return hitop_model_out_of_memory(diag);
    }
    model->type = type;
    status = fill(model, parts, diag);
    if (status != HITOP_OK) {
        hitop_model_free(model);
        return status;
    }
    *out = model;
    return HITOP_OK;
}
