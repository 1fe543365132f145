/* SPDX-License-Identifier: BSD-3-Clause */
/* model_build.c - check the parts of a model and make them one. */
#include <config.h>

#include "models/model/model_impl.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status adopt_processors(struct hitop_model *model,
                                          const struct hitop_model_parts *parts,
                                          struct hitop_diag *diag)
{
    const size_t n = (size_t)parts->nprocessors;
    const int nranks = hitop_hierarchy_nranks(model->hierarchy);

    if (n > 0 && model->type->nprocessor_params == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s has no parameters of processors",
                          model->type->name);
    }
    model->processors = calloc(n + 1, sizeof(*model->processors));
    model->processor_of = n > 1 ? calloc((size_t)nranks, sizeof(int)) : NULL;
    if (!model->processors || (n > 1 && !model->processor_of)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    model->nprocessors = parts->nprocessors;
    for (size_t i = 0; i < n; i++) {
        struct hitop_diag reason = HITOP_DIAG_INIT;
        const enum hitop_status status =
            hitop_model_check_processor(model->type, nranks, &parts->processors[i], &reason);
        if (status != HITOP_OK) {
            return hitop_fail(diag, status, "class %zu of processors: %s", i, reason.message);
        }
        model->processors[i] = parts->processors[i];
    }
    for (int rank = 0; parts->processor_of && n > 0 && rank < nranks; rank++) {
        const int index = parts->processor_of[rank];
        if (index < 0 || index >= parts->nprocessors) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "rank %d has class %d of processors, not one of 0..%d", rank, index,
                              parts->nprocessors - 1);
        }
        if (model->processor_of) {
            model->processor_of[rank] = index;
        }
    }
    return HITOP_OK;
}

/* Move an array of n numbers into memory of the model. */
static void move(const double **numbers, size_t n, double **free_slot)
{
    if (*numbers && n > 0) {
        memcpy(*free_slot, *numbers, n * sizeof(double));
        *numbers = *free_slot;
        *free_slot += n;
    }
}

static size_t table_length(const struct hitop_model *model, const struct hitop_class *c)
{
    return (size_t)c->nrows * model->type->ncolumns;
}

static enum hitop_status adopt_numbers(struct hitop_model *model, struct hitop_diag *diag)
{
    const size_t n = model->type->nparams, m = model->type->nprocessor_params;
    size_t total = 4 * (n * (size_t)model->nclasses + m * (size_t)model->nprocessors) + 1;
    double *at;

    for (int i = 0; i < model->nclasses; i++) {
        total += table_length(model, &model->classes[i]);
    }
    at = model->numbers = malloc(total * sizeof(double));
    if (!at) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_class *c = &model->classes[i];
        move(&c->params, n, &at);
        move(&c->se, n, &at);
        move(&c->lo, n, &at);
        move(&c->hi, n, &at);
        move(&c->table, table_length(model, c), &at);
    }
    for (int i = 0; i < model->nprocessors; i++) {
        struct hitop_processor *p = &model->processors[i];
        move(&p->params, m, &at);
        move(&p->se, m, &at);
        move(&p->lo, m, &at);
        move(&p->hi, m, &at);
    }
    return HITOP_OK;
}

static enum hitop_status adopt_collective(struct hitop_model *model, const double *given,
                                          struct hitop_diag *diag)
{
    const size_t n = model->type->ncollective_params;
    enum hitop_status status;

    if (!given) {
        return HITOP_OK;
    }
    if (n == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s has no numbers of collectives",
                          model->type->name);
    }
    status = hitop_model_check_collective(model->type, given, diag);
    if (status != HITOP_OK) {
        return status;
    }
    model->collective = calloc(n, sizeof(double));
    if (!model->collective) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    memcpy(model->collective, given, n * sizeof(double));
    return HITOP_OK;
}

/* Eager limits, where all are known: those that were measured, the others by the formula. */
static enum hitop_status find_limits(struct hitop_model *model, struct hitop_diag *diag)
{
    int nmeasured = 0;

    for (int c = 0; c < model->nclasses; c++) {
        nmeasured += model->classes[c].has_eager;
    }
    if (model->nclasses <= 0 || (nmeasured < model->nclasses && !model->type->eager)) {
        return HITOP_OK;
    }
    model->eager = calloc((size_t)model->nclasses, sizeof(*model->eager));
    if (!model->eager) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    for (int c = 0; c < model->nclasses; c++) {
        const struct hitop_class *class = &model->classes[c];
        struct hitop_terms terms;
        if (class->has_eager) {
            model->eager[c] = class->eager;
        } else {
            hitop_model_class_terms(class, &terms);
            model->eager[c] = model->type->eager(&terms);
        }
    }
    return HITOP_OK;
}

static enum hitop_status adopt_provenance(struct hitop_model *model,
                                          const struct hitop_provenance *given,
                                          struct hitop_diag *diag)
{
    struct hitop_provenance *p = &model->provenance;
    const char **texts[MODEL_NTEXTS] = {&p->tool,      &p->command, &p->mpi_library,
                                        &p->transport, &p->cache,   &p->date};

    if (!given) {
        return HITOP_OK;
    }
    *p = *given;
    for (size_t i = 0; i < MODEL_NTEXTS; i++) {
        if (*texts[i]) {
            model->text[i] = strdup(*texts[i]);
            if (!model->text[i]) {
                return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
            }
            *texts[i] = model->text[i];
        }
    }
    return HITOP_OK;
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
        status = hitop_model_adopt_times(model, diag);
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
        status = hitop_model_adopt_quality(model, parts->quality, diag);
    }
    return status == HITOP_OK ? adopt_provenance(model, parts->provenance, diag) : status;
}

enum hitop_status hitop_model_build(const struct hitop_model_parts *parts, struct hitop_model **out,
                                    struct hitop_diag *diag)
{
    const struct hitop_model_type *found = NULL;
    struct hitop_model *model = NULL;
    enum hitop_status status = hitop_model_type_find(parts->type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    model = calloc(1, sizeof(*model));
    if (!model) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    model->type = found;
    status = fill(model, parts, diag);
    if (status != HITOP_OK) {
        hitop_model_free(model);
        return status;
    }
    *out = model;
    return HITOP_OK;
}
