/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_search.c - search for the fastest algorithm of an operation. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/cost_view.h"
#include "coll/schedule/sched_prices.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With more ranks than this, not all algorithms are planned for all ranks. */
enum { CHOICE_MANY = 512 };

struct choice_few {
    struct hitop_cost cost; /* cost of the selected ranks; rank 0 is the root */
    struct cost_view view;
    int *rank; /* [cost.nranks] */
};

/* ---- A sample of ranks ---- */

/* Consecutive ranks in a sample, as they may be on one host. */
enum { RUN = 8 };

/*
 * Take RUN consecutive ranks at a random place in each of equal intervals of ranks. Random places
 * avoid a period that the placement of ranks can have, too.
 */
static void draw_ranks(int *rank, int size, int root, int count)
{
    const int runs = count / RUN, stretch = size / runs;
    uint32_t state = 1;

    for (int i = 0; i < runs; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        for (int j = 0; j < RUN; j++) {
            rank[i * RUN + j] =
                i * stretch + (int)((state >> 8) % (uint32_t)(stretch - RUN + 1)) + j;
        }
    }
    for (int i = 1; i < count; i++) { /* the root comes first and occurs once */
        if (rank[i] == root) {
            rank[i] = rank[0];
        }
    }
    rank[0] = root;
}

/*
 * Select `count` of the first `size` ranks, beginning with the root, and make their cost. Release
 * with choice_few_fini().
 */
static enum hitop_status choice_few_init(struct choice_few *few, const struct hitop_cost *all,
                                         int size, int root, int count, struct hitop_diag *diag)
{
    int *rank = calloc((size_t)count, sizeof(*rank));

    *few = (struct choice_few){.rank = rank};
    if (!rank) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    draw_ranks(rank, size, root, count);
    few->view = (struct cost_view){.all = all, .rank = rank, .nranks = count};
    few->cost = hitop_cost_view(&few->view, count);
    return HITOP_OK;
}

static void choice_few_fini(struct choice_few *few)
{
    free(few->rank);
}

/*
 * The choice among very many ranks.
 *
 * All algorithms are predicted for a sample of FEW ranks, and for one of MORE ranks. The two times
 * give the time per rank and the time per doubling of the ranks, and so an estimate for all ranks.
 * The FINALISTS algorithms with the shortest estimates are planned and predicted for all ranks; if
 * that would take minutes, the estimate counts.
 */

enum { FEW = 64, MORE = 256, FINALISTS = 2 };

/*
 * Algorithms that take so many times as long as the fastest one of the sample are not predicted
 * further. This is a heuristic: one that grows much slower with the ranks could be lost.
 */
#define FEW_SLACK 16.0
#define MORE_SLACK 4.0

/* The limit of steps of all ranks: these are planned and predicted within seconds. */
#define MAX_STEPS 2.5e6

/*
 * Whether plans of this algorithm have few enough steps: estimated from the segments, then from
 * the plan of a middle rank.
 */
static int is_small(const struct hitop_choice *choice, const struct hitop_call *call)
{
    const struct hitop_coll_args args = {.rank = call->size / 2,
                                         .size = call->size,
                                         .root = call->root,
                                         .bytes = call->bytes,
                                         .unit = call->unit,
                                         .params = choice->params};
    struct hitop_sched *sched = NULL;
    size_t steps = 3;

    for (size_t p = 0; p < choice->algorithm.type->nparams; p++) {
        const double cut = hitop_choice_cut_bytes(call, &choice->algorithm.type->params[p]);
        if (cut > 0 && choice->params[p] > 0) {
            steps = (size_t)(3 * (cut / choice->params[p] + 1));
        }
    }
    if (!choice->algorithm.tree && (double)steps * call->size < MAX_STEPS &&
        hitop_coll_type_plan(choice->algorithm.type, &args, &sched, NULL) == HITOP_OK) {
        (void)hitop_sched_steps(sched, &steps);
    }
    hitop_sched_free(sched);
    return (double)steps * call->size <= MAX_STEPS;
}

static enum hitop_status rank_within(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, double slack,
                                     struct hitop_candidate *out, struct hitop_diag *diag);

/*
 * Predict the algorithms for a sample of `count` ranks; those that take longer than `slack` times
 * the shortest time may get an infinite time.
 */
static enum hitop_status rank_few(const struct hitop_choice_basis *basis,
                                  const struct hitop_call *call, int count, double slack,
                                  struct hitop_candidate *out, struct hitop_diag *diag)
{
    struct choice_few few;
    struct hitop_call smaller = *call;
    struct hitop_choice_basis other = {
        .cost = &few.cost, .irregular = basis->irregular, .counts = basis->counts};
    enum hitop_status status =
        choice_few_init(&few, basis->cost, call->size, call->root, count, diag);

    smaller.size = count;
    smaller.root = 0;
    smaller.starts = NULL;
    if (status == HITOP_OK) {
        status = rank_within(&other, &smaller, slack, out, diag);
    }
    choice_few_fini(&few);
    return status;
}

/* Estimate the time for all ranks from the times for FEW and for MORE ranks. */
static double extrapolate(double few, double more, int size)
{
    const double rounds = log2(FEW), more_rounds = log2(MORE), all_rounds = ceil(log2(size));
    const double whole = rounds * MORE - more_rounds * FEW;
    const double per_round = (few * MORE - more * FEW) / whole;
    const double per_rank = (more * rounds - few * more_rounds) / whole;

    if (per_rank < 0) { /* slower growth than with rounds: part of the time is constant */
        return more + fmax(more - few, 0) * (all_rounds - more_rounds) / (more_rounds - rounds);
    }
    if (per_round < 0) { /* growth is faster than linear */
        return more * pow((double)size / MORE, log(more / few) / log((double)MORE / FEW));
    }
    return per_round * all_rounds + per_rank * size;
}

/* The first algorithm with the shortest time of those that are not NaN, or -1. */
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

/*
 * Predict an algorithm that can serve the call: by its plans, or by its estimate where plans would
 * be too long.
 */
static enum hitop_status price_finalist(const struct hitop_choice_basis *basis,
                                        const struct hitop_call *call, struct hitop_choice *choice,
                                        double promise, struct hitop_diag *diag)
{
    struct choice_price price = {.seconds = promise};
    enum hitop_status status = hitop_choice_applies(choice, call, basis->cost, diag);

    if (status == HITOP_OK && is_small(choice, call)) {
        status = hitop_choice_find_price(basis, call, choice, INFINITY, &price, diag);
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
    enum hitop_status status = rank_few(basis, call, FEW, FEW_SLACK, few, diag);

    if (status == HITOP_OK) {
        status = rank_few(basis, call, MORE, MORE_SLACK, out, diag);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        const double less = few[i].choice.seconds, more = out[i].choice.seconds;
        const int is_slow = isinf(less) || isinf(more);
        promise[i] = is_slow ? NAN : extrapolate(less, more, call->size);
        out[i].choice.seconds = NAN;
        if (is_slow) {
            (void)snprintf(out[i].reason, sizeof(out[i].reason),
                           "over %g times as long as the fastest, to judge by %d of the ranks",
                           isinf(more) ? MORE_SLACK : FEW_SLACK, isinf(more) ? MORE : FEW);
        } else if (!isnan(promise[i])) {
            (void)snprintf(out[i].reason, sizeof(out[i].reason),
                           "about %.4g us, to judge by %d of the ranks", promise[i] * 1e6, MORE);
        }
    }
    return status == HITOP_OK ? try_best(basis, call, promise, count, out, diag) : status;
}

/*
 * Predict the most promising algorithms for more than CHOICE_MANY ranks; the others get a reason
 * instead of a time.
 */
static enum hitop_status choice_screen(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_candidate *out,
                                       struct hitop_diag *diag)
{
    const size_t count = hitop_algorithm_count(call->operation);
    struct hitop_candidate *few = calloc(count + 1, sizeof(*few));
    double *promise = calloc(count + 1, sizeof(*promise));
    const enum hitop_status status =
        few && promise ? screen(basis, call, count, promise, few, out, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");

    free(few);
    free(promise);
    return status;
}

/* Which parameters of an algorithm are tried. */
enum effort {
    CUT,     /* the defaults, and segments of a given size */
    PROMISE, /* the best ones, if the time can be within `slack` times the shortest ones */
    ALL      /* the best ones */
};

struct search {
    const struct hitop_choice_basis *basis;
    const struct hitop_call *call;
    enum effort effort;
    double segment;
    double slack;                       /* of PROMISE, at least 1 */
    size_t places;                      /* of PROMISE: so many of the fastest need their times */
    struct hitop_candidate *candidates; /* [count] */
    struct choice_price *prices;        /* [count]; seconds is NaN where there is no price */
    size_t count;
};

static struct hitop_choice first_try(const struct search *s, size_t index)
{
    struct hitop_choice choice =
        hitop_choice_default(hitop_algorithm_at(s->call->operation, index));

    if (s->effort == CUT) {
        (void)hitop_choice_cut(&choice, s->segment);
    }
    return choice;
}

/* Whether an algorithm is used only where it is named. */
static int is_by_name(struct hitop_algorithm algorithm)
{
    return algorithm.type->by_name || (algorithm.tree && algorithm.tree->by_name);
}

/* Longer times need not be known: of PROMISE, `slack` times that of the last of the places. */
static double limit_of(const struct search *s)
{
    double last = 0; /* the time of the last place so far; smaller ones have a place */

    for (size_t n = 0; n < s->places && s->effort == PROMISE;) {
        double next = INFINITY;
        size_t same = 0;
        for (size_t i = 0; i < s->count; i++) {
            const double seconds = s->candidates[i].choice.seconds;
            const int is_next = seconds > last || (n == 0 && seconds == 0);
            same = is_next && seconds < next ? 1 : same + (is_next && seconds == next);
            next = is_next ? fmin(next, seconds) : next;
        }
        if (same == 0 || isinf(next)) {
            return INFINITY;
        }
        last = next;
        n += same;
    }
    return s->effort == PROMISE ? last * s->slack : INFINITY;
}

/*
 * Predict an algorithm with its first parameters. Where only the fastest count, an algorithm with
 * a bound beyond the limit is skipped, and one without segments needs no time beyond the limit; the
 * time without segments is needed to find them.
 */
static enum hitop_status price_first_try(const struct search *s, size_t i, double bound,
                                         struct hitop_diag *diag)
{
    struct hitop_candidate *c = &s->candidates[i];
    const double limit = limit_of(s) * CHOICE_SURE;
    const int needs_time = hitop_choice_has_segments(c->choice.algorithm.type);
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (bound > limit * CHOICE_SURE) {
        c->choice.seconds = INFINITY; /* and no price: no parameter is tried */
        if (s->basis->counts) {
            s->basis->counts->skipped++;
        }
        return HITOP_OK;
    }
    status = hitop_choice_find_price(s->basis, s->call, &c->choice, needs_time ? INFINITY : limit,
                                     &s->prices[i], &why);
    c->choice.seconds = s->prices[i].seconds;
    if (status == HITOP_ERR_UNSUPPORTED) {
        (void)snprintf(c->reason, sizeof(c->reason), "%.150s", why.message);
        return HITOP_OK;
    }
    return status == HITOP_OK ? HITOP_OK : hitop_fail(diag, status, "%s", why.message);
}

/* The least times with any parameters that are tried; 0 where only a plan shows it. */
static enum hitop_status find_bounds(const struct search *s, double *bound, struct hitop_diag *diag)
{
    struct sched_prices prices;
    const enum hitop_status status =
        hitop_sched_prices_init(&prices, s->basis->cost, s->call->size, diag);

    for (size_t i = 0; i < s->count && status == HITOP_OK && s->effort == PROMISE; i++) {
        bound[i] = hitop_choice_bound(s->call, &s->candidates[i].choice, &prices);
    }
    hitop_sched_prices_fini(&prices);
    return status;
}

/* Predict all algorithms, those with the lowest bounds first, so that few of the others remain. */
static enum hitop_status price_first_tries(const struct search *s, struct hitop_diag *diag)
{
    double *bound = calloc(s->count + 1, sizeof(*bound));
    ptrdiff_t next;
    enum hitop_status status =
        bound ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");

    for (size_t i = 0; i < s->count; i++) {
        s->candidates[i] = (struct hitop_candidate){first_try(s, i), ""};
        s->prices[i].seconds = NAN;
    }
    if (status == HITOP_OK) {
        status = find_bounds(s, bound, diag);
    }
    for (size_t i = 0; i < s->count && status == HITOP_OK; i++) {
        struct hitop_candidate *c = &s->candidates[i];
        if (is_by_name(c->choice.algorithm)) {
            (void)snprintf(c->reason, sizeof(c->reason), "%s is used only by its name",
                           hitop_algorithm_name(c->choice.algorithm));
            bound[i] = NAN;
        }
    }
    while (status == HITOP_OK && (next = next_best(bound, s->count)) >= 0) {
        status = price_first_try(s, (size_t)next, bound[next], diag);
        bound[next] = NAN;
    }
    free(bound);
    return status;
}

static enum hitop_status tune(const struct search *s, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < s->count && s->effort != CUT && status == HITOP_OK; i++) {
        if (!isnan(s->prices[i].seconds)) {
            status = hitop_choice_tune(s->basis, s->call, limit_of(s), &s->prices[i],
                                       &s->candidates[i].choice, diag);
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
    enum hitop_status status = hitop_choice_check_priced(s->basis, s->call, diag);

    if (status != HITOP_OK) {
        return status;
    }
    s->count = hitop_algorithm_count(s->call->operation);
    status = s->call->size > CHOICE_MANY && s->effort != CUT
                 ? choice_screen(s->basis, s->call, s->candidates, diag)
                 : price_all(s, diag);
    if (status != HITOP_OK) {
        return status;
    }
    best = hitop_choice_fastest(s->candidates, s->count);
    if (best < 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "%s: none of its algorithms can serve %d ranks and %zu bytes",
                          s->call->operation->name, s->call->size, s->call->bytes);
    }
    *fastest = (size_t)best;
    return HITOP_OK;
}

static enum hitop_status rank_within(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, double slack,
                                     struct hitop_candidate *out, struct hitop_diag *diag)
{
    struct search s = {.basis = basis,
                       .call = call,
                       .effort = PROMISE,
                       .slack = slack,
                       .places = 1,
                       .candidates = out};
    size_t fastest;

    return search(&s, &fastest, diag);
}

enum hitop_status hitop_choice_rank(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, struct hitop_candidate *out,
                                    size_t *fastest, struct hitop_diag *diag)
{
    struct search s = {.basis = basis, .call = call, .effort = ALL, .candidates = out};

    return search(&s, fastest, diag);
}

enum hitop_status hitop_choice_rank_first(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call, size_t places,
                                          struct hitop_candidate *out, size_t *fastest,
                                          struct hitop_diag *diag)
{
    struct search s = {.basis = basis,
                       .call = call,
                       .effort = PROMISE,
                       .slack = 1,
                       .places = places,
                       .candidates = out};

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

enum hitop_status hitop_choice_predict(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_choice *out,
                                       struct hitop_diag *diag)
{
    struct search s = {.basis = basis, .call = call, .effort = PROMISE, .slack = 1, .places = 1};
    size_t fastest = 0;
    enum hitop_status status;

    s.candidates = calloc(hitop_algorithm_count(call->operation) + 1, sizeof(*s.candidates));
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
