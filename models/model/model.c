/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - the model object: find the parameters for a pair of ranks and price messages. */
#include <config.h>

#include "models/model/model_impl.h"

#include <assert.h>
#include <stdlib.h>

void hitop_model_free(struct hitop_model *model)
{
    if (!model) {
        return;
    }
    hitop_memory_clear(&model->memory);
    hitop_hierarchy_free(model->hierarchy);
    free(model);
}

int hitop_model_place_of(const struct hitop_hierarchy *h, int node, int member)
{
    const int first = hitop_hierarchy_first_rank(h, member);
    int low = 0, high;
    const int *child = hitop_hierarchy_children(h, node, &high);

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (hitop_hierarchy_first_rank(h, child[middle]) <= first) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Place, among the members of a group, of the one that contains a rank. */
static int place_below(const struct hitop_hierarchy *h, int node, int rank)
{
    int member = rank;

    for (int up = hitop_hierarchy_parent(h, rank); up != node; up = hitop_hierarchy_parent(h, up)) {
        member = up;
    }
    return hitop_model_place_of(h, node, member);
}

/*
 * Index of the class of members x and y. The classes of a group are sorted: 0-1 0-2 .. 1-2 1-3 ..
 */
static int pair_index(int nmembers, int x, int y)
{
    const int low = x < y ? x : y, high = x < y ? y : x;

    return low * nmembers - low * (low + 1) / 2 + high - low - 1;
}

static int class_index(const struct hitop_model *model, int i, int j)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int node = hitop_hierarchy_lca(h, i, j);
    const int first = model->class_of_node[node];
    int nmembers;

    if (model_is_whole(&model->classes[first])) {
        return first;
    }
    (void)hitop_hierarchy_children(h, node, &nmembers);
    return first + pair_index(nmembers, place_below(h, node, i), place_below(h, node, j));
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
    return i == j ? NULL : &model->classes[class_index(model, i, j)];
}

int hitop_model_nprocessors(const struct hitop_model *model)
{
    return model->nprocessors;
}

const struct hitop_processor *hitop_model_processor(const struct hitop_model *model, int index)
{
    assert(index >= 0 && index < model->nprocessors);
    return &model->processors[index];
}

int hitop_model_processor_of(const struct hitop_model *model, int rank)
{
    assert(rank >= 0 && rank < hitop_model_nranks(model));
    return model->processor_of ? model->processor_of[rank] : 0;
}

const double *hitop_model_collective(const struct hitop_model *model)
{
    return model->collective;
}

const struct hitop_provenance *hitop_model_provenance(const struct hitop_model *model)
{
    return &model->provenance;
}

const struct hitop_quality *hitop_model_quality(const struct hitop_model *model)
{
    return model->quality;
}

void hitop_model_parts_of(const struct hitop_model *model, struct hitop_model_parts *out)
{
    *out = (struct hitop_model_parts){.type = model->type->name,
                                      .hierarchy = model->hierarchy,
                                      .classes = model->classes,
                                      .nclasses = model->nclasses,
                                      .processors = model->processors,
                                      .nprocessors = model->nprocessors,
                                      .processor_of = model->processor_of,
                                      .collective = model->collective,
                                      .provenance = &model->provenance,
                                      .quality = model->quality};
}

void hitop_model_class_terms(const struct hitop_class *c, struct hitop_terms *out)
{
    *out = (struct hitop_terms){.link = c->params, .table = c->table, .nrows = (size_t)c->nrows};
}

static const double *processor_params(const struct hitop_model *model, int rank)
{
    return model->processors[hitop_model_processor_of(model, rank)].params;
}

int hitop_model_terms(const struct hitop_model *model, int i, int j, struct hitop_terms *out)
{
    if (i == j) {
        return 0;
    }
    hitop_model_class_terms(&model->classes[class_index(model, i, j)], out);
    if (model->nprocessors > 0 && !hitop_hierarchy_share_host(model->hierarchy, i, j)) {
        out->from = processor_params(model, i);
        out->to = processor_params(model, j);
    }
    return 1;
}

double hitop_model_p2p(const struct hitop_model *model, int i, int j, size_t bytes)
{
    struct hitop_terms terms;

    return hitop_model_terms(model, i, j, &terms) ? model->type->p2p(&terms, bytes) : 0;
}

double hitop_model_occupancy(const struct hitop_model *model, int i, int j, size_t bytes)
{
    struct hitop_terms terms;

    if (!hitop_model_terms(model, i, j, &terms)) {
        return 0;
    }
    return model->type->occupancy ? model->type->occupancy(&terms, bytes)
                                  : model->type->p2p(&terms, bytes);
}

double hitop_model_reception(const struct hitop_model *model, int i, int j, size_t bytes)
{
    struct hitop_terms terms;

    if (model->type->reception && hitop_model_terms(model, i, j, &terms)) {
        return model->type->reception(&terms, bytes);
    }
    return hitop_model_occupancy(model, i, j, bytes);
}
