/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - the schedules of all ranks for one algorithm. */
#include <config.h>

#include "hitop/coroutine.h"
#include "hitop/plan.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>

/* The limit of steps of all ranks together: about 1 GB of memory. */
#define MAX_STEPS ((size_t)1 << 23)

static struct hitop_coll_args coll_args(const struct hitop_plan_args *args, int rank,
                                        const struct hitop_tree *tree)
{
    return (struct hitop_coll_args){.rank = rank,
                                    .size = args->size,
                                    .root = args->root,
                                    .bytes = args->bytes,
                                    .starts = args->starts,
                                    .unit = args->unit,
                                    .ordered = args->ordered,
                                    .tree = tree,
                                    .params = args->params};
}

static enum hitop_status plan_ranks(const struct hitop_plan_args *args, struct hitop_plan *plan,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int r = 0; r < args->size && status == HITOP_OK; r++) {
        const struct hitop_coll_args coll = coll_args(args, r, plan->tree);
        size_t count = 0;
        status = hitop_coll_type_plan(args->algorithm.type, &coll, &plan->sched[r], diag);
        if (status == HITOP_OK) {
            (void)hitop_sched_steps(plan->sched[r], &count);
        }
        plan->nsteps += count;
        if (plan->nsteps > MAX_STEPS) {
            status = hitop_fail(
                diag, HITOP_ERR_UNSUPPORTED, "%s: %d ranks with %zu bytes need more than %zu steps",
                hitop_algorithm_name(args->algorithm), args->size, args->bytes, MAX_STEPS);
        } else if (status == HITOP_OK && hitop_coroutine_yield(1 + count / 2)) {
            status = hitop_fail(diag, HITOP_ERR_CANCELLED, "planning: cancelled");
        }
    }
    return status;
}

enum hitop_status hitop_plan_tree(const struct hitop_plan_args *args, struct hitop_tree **out,
                                  struct hitop_diag *diag)
{
    struct hitop_tree_args tree_args = {
        .size = args->size, .root = args->root, .bytes = args->bytes, .cost = args->cost};
    size_t *counts = NULL;
    enum hitop_status status;

    *out = NULL;
    if (!args->algorithm.tree) {
        return HITOP_OK;
    }
    if (args->starts) {
        tree_args.counts = counts = calloc((size_t)args->size + 1, sizeof(*counts));
        if (!counts) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "tree of %d ranks: out of memory", args->size);
        }
        for (int r = 0; r < args->size; r++) {
            counts[r] = args->starts[r + 1] - args->starts[r];
        }
    }
    status = hitop_tree_build(args->algorithm.tree->name, &tree_args, args->tree_params, out, diag);
    free(counts);
    return status;
}

enum hitop_status hitop_plan_build(const struct hitop_plan_args *args, struct hitop_plan **out,
                                   struct hitop_diag *diag)
{
    const struct hitop_coll_args any = coll_args(args, 0, NULL);
    struct hitop_plan *plan;
    enum hitop_status status;

    *out = NULL;
    status = hitop_coll_applies(args->algorithm.type, &any, diag); /* before a tree is built */
    if (status != HITOP_OK) {
        return status;
    }
    plan = calloc(1, sizeof(*plan));
    if (plan) {
        plan->size = args->size;
        plan->sched = calloc((size_t)args->size + 1, sizeof(struct hitop_sched *));
    }
    if (!plan || !plan->sched) {
        hitop_plan_free(plan);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "plans of %d ranks: out of memory", args->size);
    }
    status = hitop_plan_tree(args, &plan->tree, diag);
    (void)hitop_coroutine_yield(plan->tree ? (size_t)args->size : 0);
    if (status == HITOP_OK) {
        status = plan_ranks(args, plan, diag);
    }
    if (status != HITOP_OK) {
        hitop_plan_free(plan);
        return status;
    }
    *out = plan;
    return HITOP_OK;
}

void hitop_plan_free(struct hitop_plan *plan)
{
    if (!plan) {
        return;
    }
    for (int r = 0; plan->sched && r < plan->size; r++) {
        hitop_sched_free(plan->sched[r]);
        (void)hitop_coroutine_yield(1);
    }
    free(plan->sched);
    hitop_tree_free(plan->tree);
    free(plan);
}
