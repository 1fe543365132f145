/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - plan a collective for every rank, then cost the plans. */
#include <config.h>

#include "hitop/choice.h"
#include "hitop/predict.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

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

static struct hitop_call call_of(const struct hitop_predict_args *args,
                                 const struct hitop_operation *operation)
{
    return (struct hitop_call){.operation = operation,
                               .size = args->size,
                               .root = args->root,
                               .bytes = args->bytes,
                               .unit = args->unit,
                               .ordered = args->ordered};
}

/* Parameters as they are given, segments where the way cuts. */
static struct hitop_choice choice_of(const struct hitop_predict_args *args, struct hitop_way way)
{
    struct hitop_choice choice = hitop_choice_default(way);

    if (args->params) {
        memcpy(choice.params, args->params, way.type->nparams * sizeof(double));
    } else if (args->segment > 0) {
        (void)hitop_choice_cut(&choice, args->segment);
    }
    if (args->tree_params && way.tree) {
        memcpy(choice.tree_params, args->tree_params, way.tree->nparams * sizeof(double));
    }
    return choice;
}

static enum hitop_status predict_fastest(const struct hitop_predict_args *args,
                                         const struct hitop_operation *operation, double *seconds,
                                         struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = args->cost};
    const struct hitop_call call = call_of(args, operation);
    struct hitop_choice choice;
    const enum hitop_status status = hitop_choose(&basis, &call, &choice, diag);

    if (status == HITOP_OK) {
        *seconds = choice.seconds;
    }
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
    status = hitop_operation_find(args->operation, &operation, diag);
    if (status == HITOP_OK && args->algorithm && strcmp(args->algorithm, "auto") == 0) {
        return predict_fastest(args, operation, seconds, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_way_find(operation, args->algorithm ? args->algorithm : "", &way, diag);
    }
    if (status == HITOP_OK) {
        const struct hitop_choice_basis basis = {.cost = args->cost};
        const struct hitop_call call = call_of(args, operation);
        const struct hitop_choice choice = choice_of(args, way);
        status = hitop_choice_price(&basis, &call, &choice, seconds, diag);
    }
    return status;
}

enum hitop_status hitop_predict_all(const struct hitop_predict_args *args, double *seconds,
                                    size_t *fastest, struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = args->cost};
    const size_t count = hitop_predict_count(args->operation);
    struct hitop_candidate *candidates = calloc(count + 1, sizeof(*candidates));
    const struct hitop_operation *operation = NULL;
    enum hitop_status status =
        candidates ? check_args(args, diag) : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");

    *fastest = 0;
    if (status == HITOP_OK) {
        status = hitop_operation_find(args->operation, &operation, diag);
    }
    if (status == HITOP_OK) {
        const struct hitop_call call = call_of(args, operation);
        status = hitop_choice_rank_cut(&basis, &call, args->segment, candidates, fastest, diag);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        seconds[i] = candidates[i].choice.seconds;
    }
    free(candidates);
    return status;
}
