/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * influence.c - how much the uncertainty of links changes the predicted times of collectives.
 *
 * Idea:   a link that is faster than others on the same path need not be known precisely. Move the
 *         prices of a class to the upper ends of their intervals, and predict common collectives
 *         over all ranks with both prices.
 * Formula:  influence = max over collectives and sizes of T(moved prices) / T(prices) - 1
 * Cost:   two predictions of each collective and size for all classes together, one more for each
 *         class.
 */
#include <config.h>

#include "coll/predict/cost_view.h"
#include "coll/predict/influence.h"

#include "models/model/figures.h"

#include "hitop/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The relative uncertainty of a class whose uncertainty is unknown. */
static const double unknown = 1;

/*
 * Common algorithms. Those with a message between every two ranks are predicted for few ranks
 * only.
 */
static const struct {
    const char *operation, *algorithm;
    int most_ranks;
} common[] = {{"bcast", "binomial", 20000},  {"reduce", "binomial", 20000},
              {"scatter", "binomial", 2000}, {"gather", "binomial", 2000},
              {"allgather", "ring", 128},    {"allreduce", "recursive_doubling", 2000},
              {"alltoall", "pairwise", 128}, {"barrier", "dissemination", 2000}};

enum { NCOMMON = sizeof(common) / sizeof(common[0]), NSIZES = 3 };

static const size_t sizes[NSIZES] = {1024, 65536, 1048576};

/* The limit of unsettled classes that are examined one by one. */
enum { MOST_CLASSES = 64 };

/* Prices of the classes in is_moved are at the upper end of their intervals. */
struct moved {
    const struct hitop_model *model;
    const struct hitop_cost *cost;
    const char *is_moved; /* [nclasses] */
};

static double factor(const void *self, int from, int to, size_t bytes)
{
    const struct moved *m = self;
    const struct hitop_class *c = from == to ? NULL : hitop_model_class_of(m->model, from, to);
    double uncertainty;

    if (!c || !m->is_moved[c - hitop_model_class(m->model, 0)]) {
        return 1;
    }
    uncertainty = hitop_model_uncertainty(m->model, from, to, bytes);
    return 1 + (isnan(uncertainty) ? unknown : uncertainty);
}

/* Predict one of the common collectives; NaN where it does not suit these ranks. */
static double predict(const struct moved *m, int which, size_t bytes)
{
    const struct cost_view view = {.all = m->cost, .factor = factor, .self = m};
    const struct hitop_cost cost = hitop_cost_view(&view, m->cost->nranks);
    const struct hitop_choice_basis basis = {.cost = &cost};
    struct hitop_call call = {.size = cost.nranks, .bytes = bytes, .unit = 1};
    struct hitop_choice choice;
    struct hitop_algorithm algorithm;
    double seconds;

    if (cost.nranks > common[which].most_ranks ||
        hitop_operation_find(common[which].operation, &call.operation, NULL) != HITOP_OK ||
        hitop_algorithm_find(call.operation, common[which].algorithm, &algorithm, NULL) !=
            HITOP_OK) {
        return NAN;
    }
    choice = hitop_choice_default(algorithm);
    return hitop_choice_price(&basis, &call, &choice, &seconds, NULL) == HITOP_OK ? seconds : NAN;
}

/*
 * The largest relative change of a predicted time against plain[]; `out`, unless NULL, receives
 * its operation and size.
 */
static double compare(const struct moved *m, double plain[NCOMMON][NSIZES],
                      struct measure_influence *out)
{
    double largest = 0;

    for (int i = 0; i < NCOMMON; i++) {
        for (int k = 0; k < NSIZES; k++) {
            const double seconds = predict(m, i, sizes[k]);
            const double change = plain[i][k] > 0 ? seconds / plain[i][k] - 1 : 0;
            if (out && change > largest) {
                out->operation = common[i].operation;
                out->bytes = sizes[k];
            }
            largest = fmax(largest, change);
        }
    }
    return largest;
}

enum hitop_status hitop_measure_influence_find(const struct hitop_model *model,
                                               struct measure_influence *out,
                                               struct hitop_diag *diag)
{
    const int n = hitop_model_nclasses(model);
    char *is_moved = calloc((size_t)n + 1, 1);
    const struct hitop_cost cost = hitop_model_cost(model);
    const struct moved m = {.model = model, .cost = &cost, .is_moved = is_moved};
    double plain[NCOMMON][NSIZES];

    *out = (struct measure_influence){.of = calloc((size_t)n + 1, sizeof(*out->of))};
    if (!is_moved || !out->of) {
        free(is_moved);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "influence of links: out of memory");
    }
    for (int c = 0; c < n; c++) {
        out->nunsettled += !hitop_model_class(model, c)->converged;
    }
    for (int i = 0; i < NCOMMON && out->nunsettled > 0; i++) {
        for (int k = 0; k < NSIZES; k++) {
            plain[i][k] = predict(&m, i, sizes[k]);
        }
    }
    for (int c = 0; c < n && out->nunsettled > 0; c++) {
        is_moved[c] = !hitop_model_class(model, c)->converged;
    }
    out->all = out->nunsettled > 0 ? compare(&m, plain, out) : 0;
    for (int c = 0; c < n; c++) {
        const int is_unsettled = !hitop_model_class(model, c)->converged;
        out->of[c] = !is_unsettled ? 0 : out->all;
        if (is_unsettled && out->nunsettled > 1 && out->nunsettled <= MOST_CLASSES) {
            memset(is_moved, 0, (size_t)n);
            is_moved[c] = 1;
            out->of[c] = compare(&m, plain, NULL);
        }
    }
    free(is_moved);
    return HITOP_OK;
}

void hitop_measure_influence_clear(struct measure_influence *influence)
{
    free(influence->of);
    *influence = (struct measure_influence){0};
}
