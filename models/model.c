/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - the model object: from a pair of ranks to the parameters that price it. */
#include <config.h>

#include "model_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct hitop_model {
    const struct hitop_model_type *type;
    struct hitop_hierarchy *hierarchy;
    int nclasses;
    struct hitop_class *classes; /* by node */
    double *numbers;             /* of the classes: params, se, lo, hi of each */
    int *class_of_node;          /* nnodes indices, -1 where no two ranks meet */
    struct hitop_provenance provenance;
    char *text[5]; /* the strings of provenance */
};

void hitop_model_free(struct hitop_model *model)
{
    if (!model) {
        return;
    }
    for (size_t i = 0; i < sizeof(model->text) / sizeof(model->text[0]); i++) {
        free(model->text[i]);
    }
    free(model->class_of_node);
    free(model->numbers);
    free(model->classes);
    hitop_hierarchy_free(model->hierarchy);
    free(model);
}

static int compare_classes(const void *a, const void *b)
{
    const struct hitop_class *x = a, *y = b;

    return (x->node > y->node) - (x->node < y->node);
}

/* Check the classes one by one, then that each priced group has exactly one. */
static enum hitop_status check_classes(const struct hitop_model *model, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    int next = 0;

    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_diag reason = HITOP_DIAG_INIT;
        const enum hitop_status status =
            model_check_class(model->type, h, &model->classes[i], &reason);
        if (status != HITOP_OK) {
            return hitop_fail(diag, status, "class of node %d: %s", model->classes[i].node,
                              reason.message);
        }
    }
    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        int found = 0;
        while (next < model->nclasses && model->classes[next].node == node) {
            found++;
            next++;
        }
        if (found != model_is_priced(h, node)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "node %d (%s '%s') has %s class", node,
                              hitop_hierarchy_level(h, node), hitop_hierarchy_name(h, node),
                              found ? "more than one" : "no");
        }
    }
    return HITOP_OK;
}

/* Move the numbers of all classes into memory of the model. */
static void adopt_numbers(struct hitop_model *model)
{
    const size_t n = model->type->nparams;
    double *free_slot = model->numbers;

    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_class *c = &model->classes[i];
        const double **from[] = {&c->params, &c->se, &c->lo, &c->hi};
        for (size_t k = 0; k < sizeof(from) / sizeof(from[0]); k++, free_slot += n) {
            if (*from[k]) {
                memcpy(free_slot, *from[k], n * sizeof(double));
                *from[k] = free_slot;
            }
        }
    }
}

static enum hitop_status adopt_provenance(struct hitop_model *model,
                                          const struct hitop_provenance *given)
{
    struct hitop_provenance *p = &model->provenance;
    const char **texts[] = {&p->tool, &p->command, &p->mpi_library, &p->transport, &p->date};

    if (!given) {
        return HITOP_OK;
    }
    *p = *given;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (*texts[i]) {
            model->text[i] = strdup(*texts[i]);
            if (!model->text[i]) {
                return HITOP_ERR_NOMEM;
            }
            *texts[i] = model->text[i];
        }
    }
    return HITOP_OK;
}

static enum hitop_status fill(struct hitop_model *model, const struct hitop_hierarchy *h,
                              const struct hitop_class *classes, int nclasses,
                              const struct hitop_provenance *provenance, struct hitop_diag *diag)
{
    const size_t n = (size_t)nclasses;
    const int nnodes = hitop_hierarchy_nnodes(h);
    enum hitop_status status = model_copy_hierarchy(h, &model->hierarchy, diag);

    if (status != HITOP_OK) {
        return status;
    }
    model->nclasses = nclasses;
    model->classes = calloc(n + 1, sizeof(*model->classes));
    model->numbers = calloc(n + 1, 4 * model->type->nparams * sizeof(double));
    model->class_of_node = calloc((size_t)nnodes, sizeof(int));
    if (!model->classes || !model->numbers || !model->class_of_node ||
        adopt_provenance(model, provenance) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    if (n) {
        memcpy(model->classes, classes, n * sizeof(*classes));
        qsort(model->classes, n, sizeof(*classes), compare_classes);
    }
    status = check_classes(model, diag);
    if (status != HITOP_OK) {
        return status;
    }
    adopt_numbers(model);
    memset(model->class_of_node, -1, (size_t)nnodes * sizeof(int));
    for (int i = 0; i < nclasses; i++) {
        model->class_of_node[model->classes[i].node] = i;
    }
    return HITOP_OK;
}

enum hitop_status hitop_model_build(const char *type, const struct hitop_hierarchy *h,
                                    const struct hitop_class *classes, int nclasses,
                                    const struct hitop_provenance *provenance,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *found = NULL;
    struct hitop_model *model = NULL;
    enum hitop_status status = hitop_model_type_find(type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    model = calloc(1, sizeof(*model));
    if (!model) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    model->type = found;
    status = fill(model, h, classes, nclasses, provenance, diag);
    if (status != HITOP_OK) {
        hitop_model_free(model);
        return status;
    }
    *out = model;
    return HITOP_OK;
}

const struct hitop_model_type *hitop_model_type_of(const struct hitop_model *model)
{
    return model->type;
}

const struct hitop_hierarchy *hitop_model_hierarchy(const struct hitop_model *model)
{
    return model->hierarchy;
}

int hitop_model_nranks(const struct hitop_model *model)
{
    return hitop_hierarchy_nranks(model->hierarchy);
}

int hitop_model_nclasses(const struct hitop_model *model)
{
    return model->nclasses;
}

const struct hitop_class *hitop_model_class(const struct hitop_model *model, int index)
{
    assert(index >= 0 && index < model->nclasses);
    return &model->classes[index];
}

const struct hitop_class *hitop_model_class_of(const struct hitop_model *model, int i, int j)
{
    return i == j
               ? NULL
               : &model->classes[model->class_of_node[hitop_hierarchy_lca(model->hierarchy, i, j)]];
}

const struct hitop_provenance *hitop_model_provenance(const struct hitop_model *model)
{
    return &model->provenance;
}

double hitop_model_p2p(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const struct hitop_class *c = hitop_model_class_of(model, i, j);

    return c ? model->type->p2p(c->params, bytes) : 0;
}

double hitop_model_occupancy(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const struct hitop_class *c = hitop_model_class_of(model, i, j);

    if (!c) {
        return 0;
    }
    return model->type->occupancy ? model->type->occupancy(c->params, bytes)
                                  : model->type->p2p(c->params, bytes);
}

static double cost_p2p(const void *self, int from, int to, size_t bytes)
{
    return hitop_model_p2p(self, from, to, bytes);
}

static double cost_occupancy(const void *self, int from, int to, size_t bytes)
{
    return hitop_model_occupancy(self, from, to, bytes);
}

/* A price depends on the group in which two ranks meet, so the leaves of one group are alike. */
static int cost_group(const void *self, int rank)
{
    return hitop_hierarchy_parent(hitop_model_hierarchy(self), rank);
}

struct hitop_cost hitop_model_cost(const struct hitop_model *model)
{
    return (struct hitop_cost){.self = model,
                               .nranks = hitop_model_nranks(model),
                               .p2p = cost_p2p,
                               .occupancy = cost_occupancy,
                               .group = cost_group};
}
