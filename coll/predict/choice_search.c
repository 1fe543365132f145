/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_search.c - the fastest way of all. */
#include <config.h>

#include "coll/predict/choice_rule.h"
#include "coll/predict/choice_screen.h"
#include "coll/predict/choice_tune.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* NULL is a message between two ranks. */
static int has_blocks(const struct hitop_operation *o)
{
    return o && (o->brings == HITOP_BLOCK || o->brings == HITOP_BLOCKS || o->takes == HITOP_BLOCK ||
                 o->takes == HITOP_BLOCKS);
}

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
    if (has_blocks(call->operation) && call->bytes > PTRDIFF_MAX / (size_t)call->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%s: %d blocks of %zu bytes are longer than any memory",
                          call->operation->name, call->size, call->bytes);
    }
    return HITOP_OK;
}

enum hitop_status choice_check_priced(const struct hitop_choice_basis *basis,
                                      const struct hitop_call *call, struct hitop_diag *diag)
{
    const enum hitop_status status = choice_check(basis, call, diag);

    return status != HITOP_OK || basis->cost
               ? status
               : hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: there is no model to predict by",
                            call->operation->name);
}

/* Which parameters ways get. */
enum effort {
    CUT,     /* the defaults, and segments of a given size */
    PROMISE, /* the best ones, where the way may become the fastest */
    ALL      /* the best ones */
};

struct search {
    const struct hitop_choice_basis *basis;
    const struct hitop_call *call;
    enum effort effort;
    double segment;
    struct hitop_candidate *candidates; /* [count] */
    struct choice_price *prices;        /* [count]; seconds is NaN where they cannot be told */
    size_t count;
};

static struct hitop_choice first_try(const struct search *s, size_t index)
{
    struct hitop_choice choice = hitop_choice_default(hitop_way_at(s->call->operation, index));

    if (s->effort == CUT) {
        (void)hitop_choice_cut(&choice, s->segment);
    }
    return choice;
}

static enum hitop_status price_first_tries(const struct search *s, struct hitop_diag *diag)
{
    for (size_t i = 0; i < s->count; i++) {
        struct hitop_candidate *c = &s->candidates[i];
        struct hitop_diag why = HITOP_DIAG_INIT;
        enum hitop_status status;

        *c = (struct hitop_candidate){first_try(s, i), ""};
        s->prices[i].seconds = NAN;
        status = choice_price(s->basis, s->call, &c->choice, &s->prices[i], &why);
        c->choice.seconds = s->prices[i].seconds;
        if (status == HITOP_ERR_UNSUPPORTED) {
            (void)snprintf(c->reason, sizeof(c->reason), "%.150s", why.message);
        } else if (status != HITOP_OK) {
            return hitop_fail(diag, status, "%s", why.message);
        }
    }
    return HITOP_OK;
}

static enum hitop_status tune(const struct search *s, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < s->count && s->effort != CUT && status == HITOP_OK; i++) {
        const ptrdiff_t best = choice_fastest(s->candidates, s->count);
        if (!isnan(s->prices[i].seconds)) {
            const double limit = s->effort == ALL ? INFINITY : s->candidates[best].choice.seconds;
            status = choice_tune(s->basis, s->call, limit, &s->prices[i], &s->candidates[i].choice,
                                 diag);
        }
    }
    return status;
}

static enum hitop_status price_all(struct search *s, struct hitop_diag *diag)
{
    enum hitop_status status;

    s->prices = calloc(s->count + 1, sizeof(*s->prices));
    status = s->prices ? price_first_tries(s, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    if (status == HITOP_OK) {
        status = tune(s, diag);
    }
    free(s->prices);
    return status;
}

static enum hitop_status search(struct search *s, size_t *fastest, struct hitop_diag *diag)
{
    ptrdiff_t best;
    enum hitop_status status = choice_check_priced(s->basis, s->call, diag);

    if (status != HITOP_OK) {
        return status;
    }
    s->count = hitop_way_count(s->call->operation);
    status = s->call->size > CHOICE_MANY && s->effort != CUT
                 ? choice_screen(s->basis, s->call, s->candidates, diag)
                 : price_all(s, diag);
    if (status != HITOP_OK) {
        return status;
    }
    best = choice_fastest(s->candidates, s->count);
    if (best < 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "%s: none of its algorithms can serve %d ranks and %zu bytes",
                          s->call->operation->name, s->call->size, s->call->bytes);
    }
    *fastest = (size_t)best;
    return HITOP_OK;
}

enum hitop_status hitop_choice_rank(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, struct hitop_candidate *out,
                                    size_t *fastest, struct hitop_diag *diag)
{
    struct search s = {.basis = basis, .call = call, .effort = ALL, .candidates = out};

    return search(&s, fastest, diag);
}

enum hitop_status hitop_choice_rank_cut(const struct hitop_choice_basis *basis,
                                        const struct hitop_call *call, double segment,
                                        struct hitop_candidate *out, size_t *fastest,
                                        struct hitop_diag *diag)
{
    struct search s = {
        .basis = basis, .call = call, .effort = CUT, .segment = segment, .candidates = out};

    return search(&s, fastest, diag);
}

enum hitop_status choice_predict(const struct hitop_choice_basis *basis,
                                 const struct hitop_call *call, struct hitop_choice *out,
                                 struct hitop_diag *diag)
{
    struct search s = {.basis = basis, .call = call, .effort = PROMISE};
    size_t fastest = 0;
    enum hitop_status status;

    s.candidates = calloc(hitop_way_count(call->operation) + 1, sizeof(*s.candidates));
    if (!s.candidates) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    status = search(&s, &fastest, diag);
    if (status == HITOP_OK) {
        *out = s.candidates[fastest].choice;
    }
    free(s.candidates);
    return status;
}
