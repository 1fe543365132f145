/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_search.c - the fastest way of all. */
#include <config.h>

#include "choice_rule.h"
#include "choice_tune.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum hitop_status choice_check(const struct hitop_choice_basis *basis,
                               const struct hitop_call *call, struct hitop_diag *diag)
{
    const int most = basis->cost ? basis->cost->nranks : INT_MAX;

    if (call->size < 1 || call->size > most) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d ranks: allowed are 1..%d, those with a price", call->size, most);
    }
    if (call->root < 0 || call->root >= call->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "root %d is not in 0..%d", call->root,
                          call->size - 1);
    }
    return HITOP_OK;
}

/* All ways with their defaults; *prices that cannot be told are NaN. */
static enum hitop_status price_defaults(const struct hitop_choice_basis *basis,
                                        const struct hitop_call *call,
                                        struct hitop_candidate *candidates,
                                        struct choice_price *prices, size_t count,
                                        struct hitop_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        struct hitop_candidate *c = &candidates[i];
        struct hitop_diag why = HITOP_DIAG_INIT;
        enum hitop_status status;

        *c = (struct hitop_candidate){hitop_choice_default(hitop_way_at(call->operation, i)), ""};
        prices[i].seconds = NAN;
        status = choice_price(basis, call, &c->choice, &prices[i], &why);
        c->choice.seconds = prices[i].seconds;
        if (status == HITOP_ERR_UNSUPPORTED) {
            (void)snprintf(c->reason, sizeof(c->reason), "%.150s", why.message);
        } else if (status != HITOP_OK) {
            return hitop_fail(diag, status, "%s", why.message);
        }
    }
    return HITOP_OK;
}

/* The first of those within rounding of the fastest; -1: there is none. */
static ptrdiff_t find_fastest(const struct hitop_candidate *candidates, size_t count)
{
    ptrdiff_t best = -1;

    for (size_t i = 0; i < count; i++) {
        const double seconds = candidates[i].choice.seconds;
        if (!isnan(seconds) &&
            (best < 0 || choice_is_faster(seconds, candidates[best].choice.seconds))) {
            best = (ptrdiff_t)i;
        }
    }
    return best;
}

/* With `all`, each way gets its best parameters; else only those that may become the fastest. */
static enum hitop_status search(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, int all,
                                struct hitop_candidate *candidates, size_t *fastest,
                                struct hitop_diag *diag)
{
    const size_t count = hitop_way_count(call->operation);
    struct choice_price *prices = calloc(count + 1, sizeof(*prices));
    ptrdiff_t best = -1;
    enum hitop_status status = prices ? choice_check(basis, call, diag)
                                      : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");

    if (status == HITOP_OK && !basis->cost) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: there is no model to predict by",
                            call->operation->name);
    }
    if (status == HITOP_OK) {
        status = price_defaults(basis, call, candidates, prices, count, diag);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        best = find_fastest(candidates, count);
        if (!isnan(prices[i].seconds)) {
            status = choice_tune(basis, call, all ? INFINITY : candidates[best].choice.seconds,
                                 &prices[i], &candidates[i].choice, diag);
        }
    }
    free(prices);
    if (status != HITOP_OK) {
        return status;
    }
    best = find_fastest(candidates, count);
    if (best < 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "%s: none of its algorithms can serve %d ranks and %zu bytes",
                          call->operation->name, call->size, call->bytes);
    }
    *fastest = (size_t)best;
    return HITOP_OK;
}

enum hitop_status hitop_choice_rank(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, struct hitop_candidate *out,
                                    size_t *fastest, struct hitop_diag *diag)
{
    return search(basis, call, 1, out, fastest, diag);
}

enum hitop_status choice_predict(const struct hitop_choice_basis *basis,
                                 const struct hitop_call *call, struct hitop_choice *out,
                                 struct hitop_diag *diag)
{
    struct hitop_candidate *candidates =
        calloc(hitop_way_count(call->operation) + 1, sizeof(*candidates));
    size_t fastest = 0;
    enum hitop_status status;

    if (!candidates) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    status = search(basis, call, 0, candidates, &fastest, diag);
    if (status == HITOP_OK) {
        *out = candidates[fastest].choice;
    }
    free(candidates);
    return status;
}
