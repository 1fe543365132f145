/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_cost.c - a model as a struct hitop_cost.
 *
 * The formula determines how long a message keeps its ends busy. Behind a shared link an end is
 * busy only while its processor works, because there the link causes the gap of the formula.
 */
#include <config.h>

#include "models/model/model_impl.h"

#include <math.h>

static double cost_p2p(const void *self, int from, int to, size_t bytes)
{
    return hitop_model_p2p(self, from, to, bytes);
}

typedef double model_time(const struct hitop_model *model, int from, int to, size_t bytes);
typedef double type_time(const struct hitop_terms *terms, size_t bytes);

/*
 * Time for which one end of a message is busy; only that of its processor where a shared link
 * causes the gap.
 */
static double of_end(const struct hitop_model *model, int from, int to, int own, size_t bytes,
                     model_time *time, type_time *overhead)
{
    const double all = time(model, from, to, bytes);
    double processor;
    struct hitop_terms terms;

    if (!model->has_capacity || from == to) {
        return all;
    }
    processor = time(model, from, to, 0); /* no less than for an empty message */
    if (overhead && hitop_model_terms(model, from, to, &terms)) {
        processor = fmax(processor, overhead(&terms, bytes));
    }
    if (processor <= all && /* equal for an empty message */
        hitop_model_link_parts(model, own, own == from ? to : from, bytes, all - processor)) {
        return fmin(processor,
                    model->shortest); /* a longer link does not keep the processor busy */
    }
    return all;
}

static double cost_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_model *model = self;

    return of_end(model, from, to, from, bytes, hitop_model_occupancy, model->type->send_overhead);
}

static double cost_reception(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_model *model = self;

    return of_end(model, from, to, to, bytes, hitop_model_reception, model->type->receive_overhead);
}

static size_t cost_eager(const void *self, int from, int to)
{
    const struct hitop_model *model = self;

    return model->eager[hitop_model_class_of(model, from, to) - model->classes];
}

static int cost_enclosing(const void *self, int set)
{
    const struct hitop_model *model = self;

    return hitop_hierarchy_parent(model->hierarchy, set);
}

static int cost_kind(const void *self, int rank)
{
    const struct hitop_model *model = self;

    return model->kind[rank];
}

/* The sets of the cost are the nodes of the hierarchy, with the same numbers. */
struct hitop_cost hitop_model_cost(const struct hitop_model *model)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h);
    struct hitop_cost cost = {.self = model,
                              .nranks = nranks,
                              .p2p = cost_p2p,
                              .occupancy = cost_occupancy,
                              .reception = cost_reception,
                              .enclosing = cost_enclosing,
                              .nsets = hitop_hierarchy_nnodes(h),
                              .kind = model->kind ? cost_kind : NULL,
                              .grows = model->type->grows};

    if (model->eager) {
        cost.eager = cost_eager;
    }
    if (model->has_capacity) {
        cost.crossings = hitop_model_crossings;
        cost.handshake =
            model->type->ncolumns > 0 ? hitop_model_handshake : NULL; /* needs a table of sizes */
        cost.ntrunks = 2 * (hitop_hierarchy_nnodes(h) - nranks);
        cost.max_crossings = 2 * hitop_hierarchy_height(h, hitop_hierarchy_root(h));
    }
    return cost;
}
