/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_screen.c - a choice among very many ranks.
 *
 * All ways are predicted among a few ranks, and among four times as many. The two times tell what a way takes for each
 * rank and what for each doubling of the ranks, and so about the time among all. The two that promise most are
 * planned and predicted for all ranks, unless that would take minutes: then the promise counts.
 */
#include <config.h>

#include "coll/predict/choice_screen.h"

#include "coll/predict/choice_few.h"
#include "coll/predict/choice_price.h"
#include "coll/predict/choice_tune.h"

#include "hitop/sys/coll.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 64, MORE = 256, FINALISTS = 2 };

/* Of all ranks: what is planned and predicted in seconds. */
#define MAX_STEPS 2.5e6

/* Whether plans of this way can be made in time: by the segments, and by the steps of a rank in the middle. */
static int is_small(const struct hitop_choice *choice, const struct hitop_call *call)
{
    const struct hitop_coll_args args = {.rank = call->size / 2,
                                         .size = call->size,
                                         .root = call->root,
                                         .bytes = call->bytes,
                                         .unit = call->unit};
    struct hitop_sched *sched = NULL;
    size_t steps = 3;

    for (size_t p = 0; p < choice->way.type->nparams; p++) {
        const double cut = choice_cut_bytes(call, &choice->way.type->params[p]);
        if (cut > 0 && choice->params[p] > 0) {
            steps = (size_t)(3 * (cut / choice->params[p] + 1));
        }
    }
    if (!choice->way.tree && (double)steps * call->size < MAX_STEPS &&
        hitop_coll_type_plan(choice->way.type, &args, choice->params, &sched, NULL) == HITOP_OK) {
        (void)hitop_sched_steps(sched, &steps);
    }
    hitop_sched_free(sched);
    return (double)steps * call->size <= MAX_STEPS;
}

/* Predict among some of the ranks. */
static enum hitop_status rank_few(const struct hitop_choice_basis *basis,
                                  const struct hitop_call *call, int count,
                                  struct hitop_candidate *out, struct hitop_diag *diag)
{
    struct choice_few few;
    struct hitop_call smaller = *call;
    struct hitop_choice_basis other = {.cost = &few.cost, .irregular = basis->irregular};
    size_t fastest;
    enum hitop_status status =
        choice_few_init(&few, basis->cost, call->size, call->root, count, diag);

    smaller.size = count;
    smaller.root = 0;
    smaller.starts = NULL;
    if (status == HITOP_OK) {
        status = hitop_choice_rank(&other, &smaller, out, &fastest, diag);
    }
    choice_few_fini(&few);
    return status;
}

/* What it would take among all, from what it takes among few and among more. */
static double extrapolate(double few, double more, int size)
{
    const double rounds = log2(FEW), more_rounds = log2(MORE), all_rounds = ceil(log2(size));
    const double whole = rounds * MORE - more_rounds * FEW;
    const double per_round = (few * MORE - more * FEW) / whole;
    const double per_rank = (more * rounds - few * more_rounds) / whole;

    if (per_rank < 0) { /* it grows by less: something has been there from the beginning */
        return more + fmax(more - few, 0) * (all_rounds - more_rounds) / (more_rounds - rounds);
    }
    if (per_round < 0) { /* faster than with the ranks */
        return more * pow((double)size / MORE, log(more / few) / log((double)MORE / FEW));
    }
    return per_round * all_rounds + per_rank * size;
}

/* The way that promises most of those that have not been tried, or -1. */
static ptrdiff_t next_best(const double *promise, size_t count)
{
    ptrdiff_t best = -1;

    for (size_t i = 0; i < count; i++) {
        if (!isnan(promise[i]) && (best < 0 || promise[i] < promise[best])) {
            best = (ptrdiff_t)i;
        }
    }
    return best;
}

/* What a way takes that can serve: by its plans, or by its promise where these would be too long. */
static enum hitop_status price_finalist(const struct hitop_choice_basis *basis,
                                        const struct hitop_call *call, struct hitop_choice *choice,
                                        double promise, struct hitop_diag *diag)
{
    struct choice_price price = {.seconds = promise};
    enum hitop_status status = hitop_choice_applies(choice, call, basis->cost, diag);

    if (status == HITOP_OK && is_small(choice, call)) {
        status = choice_price(basis, call, choice, &price, diag);
    }
    choice->seconds = status == HITOP_OK ? price.seconds : NAN;
    return status;
}

static enum hitop_status try_best(const struct hitop_choice_basis *basis,
                                  const struct hitop_call *call, double *promise, size_t count,
                                  struct hitop_candidate *out, struct hitop_diag *diag)
{
    int tried = 0;
    ptrdiff_t i;

    while (tried < FINALISTS && (i = next_best(promise, count)) >= 0) {
        struct hitop_candidate *c = &out[i];
        struct hitop_diag why = HITOP_DIAG_INIT;
        const enum hitop_status status = price_finalist(basis, call, &c->choice, promise[i], &why);

        promise[i] = NAN;
        if (status == HITOP_OK) {
            c->reason[0] = '\0';
            tried++;
        } else if (status == HITOP_ERR_UNSUPPORTED) {
            (void)snprintf(c->reason, sizeof(c->reason), "%.150s", why.message);
        } else {
            return hitop_fail(diag, status, "%s", why.message);
        }
    }
    return HITOP_OK;
}

static enum hitop_status screen(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, size_t count, double *promise,
                                struct hitop_candidate *few, struct hitop_candidate *out,
                                struct hitop_diag *diag)
{
    enum hitop_status status = rank_few(basis, call, FEW, few, diag);

    if (status == HITOP_OK) {
        status = rank_few(basis, call, MORE, out, diag);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        promise[i] = extrapolate(few[i].choice.seconds, out[i].choice.seconds, call->size);
        out[i].choice.seconds = NAN;
        if (!isnan(promise[i])) {
            (void)snprintf(out[i].reason, sizeof(out[i].reason),
                           "about %.4g us, to judge by %d of the ranks", promise[i] * 1e6, MORE);
        }
    }
    return status == HITOP_OK ? try_best(basis, call, promise, count, out, diag) : status;
}

enum hitop_status choice_screen(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, struct hitop_candidate *out,
                                struct hitop_diag *diag)
{
    const size_t count = hitop_way_count(call->operation);
    struct hitop_candidate *few = calloc(count + 1, sizeof(*few));
    double *promise = calloc(count + 1, sizeof(*promise));
    const enum hitop_status status =
        few && promise ? screen(basis, call, count, promise, few, out, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");

    free(few);
    free(promise);
    return status;
}
