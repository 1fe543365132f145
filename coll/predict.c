/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - plan a collective for every rank, then cost the plans. */
#include <config.h>

#include "hitop/plan.h"
#include "hitop/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_p2p(const char *operation)
{
    return strcmp(operation, "p2p") == 0;
}

const char *hitop_predict_operation(size_t index)
{
    return index == 0 ? "p2p" : hitop_operations()[index - 1].name;
}

size_t hitop_predict_count(const char *operation)
{
    const struct hitop_operation *found;

    return hitop_operation_find(operation, &found, NULL) == HITOP_OK ? hitop_way_count(found) : 0;
}

const char *hitop_predict_algorithm(const char *operation, size_t index)
{
    const struct hitop_operation *found;
    struct hitop_way way = {NULL, NULL};

    if (hitop_operation_find(operation, &found, NULL) == HITOP_OK) {
        way = hitop_way_at(found, index);
    }
    return way.type ? hitop_way_name(way) : NULL;
}

static enum hitop_status check_operation(const struct hitop_predict_args *args,
                                         struct hitop_diag *diag)
{
    const struct hitop_operation *found;
    enum hitop_status status = HITOP_OK;

    if (!is_p2p(args->operation)) {
        status = hitop_operation_find(args->operation, &found, diag);
    }
    return status;
}

static enum hitop_status check_args(const struct hitop_predict_args *args, struct hitop_diag *diag)
{
    const int p2p = is_p2p(args->operation);
    const enum hitop_status status = check_operation(args, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (args->size < 1 || args->size > args->cost->nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d ranks: allowed are 1..%d, those with a price", args->size,
                          args->cost->nranks);
    }
    if (args->root < 0 || args->root >= args->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s %d is not in 0..%d", p2p ? "sender" : "root",
                          args->root, args->size - 1);
    }
    if (p2p && (args->peer < 0 || args->peer >= args->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "receiver %d is not in 0..%d", args->peer,
                          args->size - 1);
    }
    return HITOP_OK;
}

static enum hitop_status predict_way(const struct hitop_predict_args *args, struct hitop_way way,
                                     double *seconds, struct hitop_diag *diag)
{
    const struct hitop_plan_args plan_args = {.way = way,
                                              .params = args->params,
                                              .segment = args->segment,
                                              .tree_params = args->tree_params,
                                              .size = args->size,
                                              .root = args->root,
                                              .bytes = args->bytes,
                                              .unit = args->unit,
                                              .ordered = args->ordered,
                                              .cost = args->cost};
    double *finish = calloc((size_t)args->size, sizeof(*finish));
    struct hitop_plan *plan = NULL;
    enum hitop_status status = HITOP_OK;

    if (!finish) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    status = hitop_plan_build(&plan_args, &plan, diag);
    if (status == HITOP_OK) {
        status = hitop_sched_predict(plan->sched, args->size, args->cost, finish, diag);
    }
    if (status == HITOP_OK) {
        *seconds = 0;
        for (int r = 0; r < args->size; r++) {
            *seconds = finish[r] > *seconds ? finish[r] : *seconds;
        }
    }
    hitop_plan_free(plan);
    free(finish);
    return status;
}

static enum hitop_status predict_fastest(const struct hitop_predict_args *args, double *seconds,
                                         struct hitop_diag *diag)
{
    double *all = calloc(hitop_predict_count(args->operation) + 1, sizeof(*all));
    size_t fastest = 0;
    enum hitop_status status;

    if (!all) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    status = hitop_predict_all(args, all, &fastest, diag);
    if (status == HITOP_OK) {
        *seconds = all[fastest];
    }
    free(all);
    return status;
}

enum hitop_status hitop_predict(const struct hitop_predict_args *args, double *seconds,
                                struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_way way;
    enum hitop_status status = check_args(args, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (is_p2p(args->operation)) {
        const struct hitop_cost *cost = args->cost;
        *seconds = args->root == args->peer
                       ? 0
                       : cost->p2p(cost->self, args->root, args->peer, args->bytes);
        return HITOP_OK;
    }
    if (args->algorithm && strcmp(args->algorithm, "auto") == 0) {
        return predict_fastest(args, seconds, diag);
    }
    status = hitop_operation_find(args->operation, &operation, diag);
    if (status == HITOP_OK) {
        status = hitop_way_find(operation, args->algorithm ? args->algorithm : "", &way, diag);
    }
    return status == HITOP_OK ? predict_way(args, way, seconds, diag) : status;
}

/* Equal plans differ by rounding, which must not decide. */
static int is_faster(double seconds, double than)
{
    return isnan(than) || seconds < than * (1 - 1e-9);
}

enum hitop_status hitop_predict_all(const struct hitop_predict_args *args, double *seconds,
                                    size_t *fastest, struct hitop_diag *diag)
{
    struct hitop_predict_args candidate = *args;
    const struct hitop_operation *operation = NULL;
    enum hitop_status status = check_args(args, diag);

    *fastest = 0;
    candidate.params = candidate.tree_params = NULL;
    if (status == HITOP_OK) {
        status = hitop_operation_find(args->operation, &operation, diag);
    }
    for (size_t i = 0; status == HITOP_OK; i++) {
        const struct hitop_way way = hitop_way_at(operation, i);
        if (!way.type) {
            break;
        }
        seconds[i] = NAN;
        status = predict_way(&candidate, way, &seconds[i], diag);
        if (status == HITOP_ERR_UNSUPPORTED) {
            status = HITOP_OK;
        }
        if (status == HITOP_OK && is_faster(seconds[i], seconds[*fastest])) {
            *fastest = i;
        }
    }
    if (status == HITOP_OK && isnan(seconds[*fastest])) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                            "%s: none of its algorithms can serve %d ranks and %zu bytes",
                            args->operation, args->size, args->bytes);
    }
    return status;
}
