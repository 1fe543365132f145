/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - predict the time of a collective or of one message. */
#include <config.h>

#include "hitop/predict.h"

#include "coll/predict/choice_parts.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <string.h>

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

/* The parameters that are given, else the segment size where the algorithm has segments. */
static struct hitop_choice choice_of(const struct hitop_predict_args *args,
                                     struct hitop_algorithm algorithm)
{
    struct hitop_choice choice = hitop_choice_default(algorithm);

    if (args->params) {
        memcpy(choice.params, args->params, algorithm.type->nparams * sizeof(double));
    } else if (args->segment > 0) {
        (void)hitop_choice_cut(&choice, args->segment);
    }
    if (args->tree_params && algorithm.tree) {
        memcpy(choice.tree_params, args->tree_params, algorithm.tree->nparams * sizeof(double));
    }
    return choice;
}

static enum hitop_status predict_fastest(const struct hitop_predict_args *args,
                                         const struct hitop_operation *operation, double *seconds,
                                         struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = args->cost, .irregular = args->irregular};
    const struct hitop_call call = call_of(args, operation);
    struct hitop_choice choice;
    const enum hitop_status status = hitop_choose(&basis, &call, &choice, diag);

    if (status == HITOP_OK) {
        *seconds = choice.seconds;
    }
    return status;
}

static enum hitop_status check_end(const char *end, int rank, int size, struct hitop_diag *diag)
{
    return rank >= 0 && rank < size
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "%s %d is not in 0..%d", end, rank, size - 1);
}

static enum hitop_status predict_p2p(const struct hitop_predict_args *args, double *seconds,
                                     struct hitop_diag *diag)
{
    const struct hitop_cost *cost = args->cost;
    const struct hitop_choice_basis basis = {.cost = cost};
    const struct hitop_call call = {.size = args->size};
    enum hitop_status status = hitop_choice_check(&basis, &call, diag);

    if (status == HITOP_OK) {
        status = check_end("sender", args->root, args->size, diag);
    }
    if (status == HITOP_OK) {
        status = check_end("receiver", args->peer, args->size, diag);
    }
    if (status == HITOP_OK) {
        *seconds = args->root == args->peer
                       ? 0
                       : cost->p2p(cost->self, args->root, args->peer, args->bytes);
    }
    return status;
}

enum hitop_status hitop_predict(const struct hitop_predict_args *args, double *seconds,
                                struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_algorithm algorithm;
    const char *name = NULL;
    enum hitop_status status;

    if (strcmp(args->operation, "p2p") == 0) {
        return predict_p2p(args, seconds, diag);
    }
    status = hitop_operation_split(args->operation, &operation, &name, diag);
    name = args->algorithm ? args->algorithm : name ? name : "";
    if (status == HITOP_OK && strcmp(name, "auto") == 0) {
        return predict_fastest(args, operation, seconds, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_algorithm_find(operation, name, &algorithm, diag);
    }
    if (status == HITOP_OK) {
        const struct hitop_choice_basis basis = {.cost = args->cost, .irregular = args->irregular};
        const struct hitop_call call = call_of(args, operation);
        const struct hitop_choice choice = choice_of(args, algorithm);
        status = hitop_choice_price(&basis, &call, &choice, seconds, diag);
    }
    return status;
}
