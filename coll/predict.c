/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - plan a collective for every rank, then cost the plans. */
#include <config.h>

#include "hitop/predict.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

/* Steps of all ranks together: about a gigabyte of plans. */
#define MAX_STEPS ((size_t)1 << 23)

static const char *const operations[] = {"p2p", "bcast", NULL};

const char *const *hitop_predict_operations(void)
{
    return operations;
}

const char *hitop_predict_algorithm(const char *operation, size_t index)
{
    const struct hitop_tree_builder *const *builders = hitop_tree_builders();

    for (size_t i = 0; strcmp(operation, "bcast") == 0 && builders[i]; i++) {
        if (i == index) {
            return builders[i]->name;
        }
    }
    return NULL;
}

size_t hitop_predict_count(const char *operation)
{
    size_t n = 0;

    while (hitop_predict_algorithm(operation, n)) {
        n++;
    }
    return n;
}

static enum hitop_status find_algorithm(const struct hitop_predict_args *args,
                                        struct hitop_diag *diag)
{
    char valid[384] = "auto";
    const char *name;

    for (size_t i = 0; (name = hitop_predict_algorithm(args->operation, i)); i++) {
        if (args->algorithm && strcmp(name, args->algorithm) == 0) {
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "%s has no algorithm '%.64s'; valid: %s",
                      args->operation, args->algorithm ? args->algorithm : "", valid);
}

static enum hitop_status check_args(const struct hitop_predict_args *args, struct hitop_diag *diag)
{
    const int is_p2p = strcmp(args->operation, "p2p") == 0;

    if (!is_p2p && strcmp(args->operation, "bcast") != 0) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                          "no operation is called '%.64s'; valid: p2p, bcast", args->operation);
    }
    if (args->size < 1 || args->size > args->cost->nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d ranks: allowed are 1..%d, those with a price", args->size,
                          args->cost->nranks);
    }
    if (args->root < 0 || args->root >= args->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s %d is not in 0..%d",
                          is_p2p ? "sender" : "root", args->root, args->size - 1);
    }
    if (is_p2p && (args->peer < 0 || args->peer >= args->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "receiver %d is not in 0..%d", args->peer,
                          args->size - 1);
    }
    return HITOP_OK;
}

static enum hitop_status plan_all(const struct hitop_predict_args *args,
                                  const struct hitop_tree *tree, struct hitop_sched **scheds,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t total = 0;

    for (int r = 0; r < args->size && status == HITOP_OK; r++) {
        const struct hitop_coll_args coll = {r, args->size, args->root, args->bytes, tree};
        size_t count = 0;
        status = hitop_coll_plan("bcast_tree", &coll, args->params, &scheds[r], diag);
        if (status == HITOP_OK) {
            (void)hitop_sched_steps(scheds[r], &count);
        }
        total += count;
        if (total > MAX_STEPS) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID,
                           "%d ranks with %zu bytes in these segments need more than %zu steps; "
                           "take longer segments",
                           args->size, args->bytes, MAX_STEPS);
        }
    }
    return status;
}

static enum hitop_status predict_tree(const struct hitop_predict_args *args, double *seconds,
                                      struct hitop_diag *diag)
{
    const struct hitop_tree_args tree_args = {args->size, args->root, args->bytes, args->cost};
    struct hitop_tree *tree = NULL;
    struct hitop_sched **scheds = calloc((size_t)args->size, sizeof(struct hitop_sched *));
    double *finish = calloc((size_t)args->size, sizeof(*finish));
    enum hitop_status status = HITOP_OK;

    if (!scheds || !finish) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        goto out;
    }
    status = hitop_tree_build(args->algorithm, &tree_args, args->tree_params, &tree, diag);
    if (status == HITOP_OK) {
        status = plan_all(args, tree, scheds, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_sched_predict(scheds, args->size, args->cost, finish, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    *seconds = 0;
    for (int r = 0; r < args->size; r++) {
        *seconds = finish[r] > *seconds ? finish[r] : *seconds;
    }

out:
    for (int r = 0; scheds && r < args->size; r++) {
        hitop_sched_free(scheds[r]);
    }
    hitop_tree_free(tree);
    free(finish);
    free(scheds);
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
    enum hitop_status status = check_args(args, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (strcmp(args->operation, "p2p") == 0) {
        const struct hitop_cost *cost = args->cost;
        *seconds = args->root == args->peer
                       ? 0
                       : cost->p2p(cost->self, args->root, args->peer, args->bytes);
        return HITOP_OK;
    }
    if (args->algorithm && strcmp(args->algorithm, "auto") == 0) {
        return predict_fastest(args, seconds, diag);
    }
    status = find_algorithm(args, diag);
    return status == HITOP_OK ? predict_tree(args, seconds, diag) : status;
}

enum hitop_status hitop_predict_all(const struct hitop_predict_args *args, double *seconds,
                                    size_t *fastest, struct hitop_diag *diag)
{
    struct hitop_predict_args candidate = *args;
    enum hitop_status status = check_args(args, diag);

    *fastest = 0;
    candidate.tree_params = NULL;
    for (size_t i = 0; status == HITOP_OK; i++) {
        candidate.algorithm = hitop_predict_algorithm(args->operation, i);
        if (!candidate.algorithm) {
            break;
        }
        status = predict_tree(&candidate, &seconds[i], diag);
        /* equal trees differ by rounding, which must not decide */
        if (status == HITOP_OK && seconds[i] < seconds[*fastest] * (1 - 1e-9)) {
            *fastest = i;
        }
    }
    return status;
}
