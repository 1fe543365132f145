/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_search.c - search for the fastest algorithm of an operation. */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/ring_times.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* With more ranks than this, not all algorithms are planned for all ranks. */
enum { CHOICE_MANY = 512 };

/*
 * The choice among very many ranks.
 *
 * All algorithms are predicted for a sample of FEW ranks, and for one of MORE ranks. The two times
 * give the time per rank and the time per doubling of the ranks, and so an estimate for all ranks.
 * Then algorithms are planned and predicted for all ranks, those with the shortest estimates first,
 * until the estimates of the others are too long for them to be faster; if plans would take
 * minutes, the estimate counts.
 */

enum { FEW = 64, MORE = 256 };

/*
 * How many times as long as the real time an estimate can be. Hosts, racks and clusters of uneven
 * sizes among 4096 ranks gave estimates of 0.5 to 1.4 times the real time, and of 1.7 for chains.
 */
#define ESTIMATE_SLACK 1.5

/*
 * Algorithms that take so many times as long as the fastest one of the sample are not predicted
 * further. This is a heuristic: one that grows much slower with the ranks could be lost.
 */
#define FEW_SLACK 16.0
#define MORE_SLACK 4.0

/*
 * Limits of the steps of all ranks, which take about 0.4 us each to plan and predict: of one
 * algorithm; of all together; and of all that are tried without regard to their estimates.
 */
#define MAX_STEPS 2.5e6
#define MAX_ALL_STEPS 1e6
#define CHEAP_STEPS 3e4

/* So many steps take as long as one where the tree is enough. */
#define STEPS_BY_TREE 16

/* The limit of steps to simulate where a bound by the tree can stand for the time. */
#define MAX_TREE_STEPS 6e5

/*
 * The steps of all plans of this algorithm: estimated from the segments, then from the plan of a
 * middle rank.
 */
static double count_steps(const struct hitop_choice *choice, const struct hitop_call *call)
{
    const struct hitop_coll_args args = choice_coll_args(call, choice, call->size / 2);
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
    return (double)steps * call->size;
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
    struct choice_sample few;
    struct hitop_call smaller = *call;
    struct hitop_choice_basis other = {.cost = &few.cost,
                                       .irregular = basis->irregular,
                                       .counts = basis->counts,
                                       .memo = hitop_choice_memo_new()};
    enum hitop_status status =
        hitop_choice_sample_init(&few, basis->cost, call->size, call->root, count, diag);

    smaller.size = count;
    smaller.root = 0;
    smaller.starts = NULL;
    if (status == HITOP_OK && !other.memo) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    if (status == HITOP_OK) {
        hitop_choice_memo_use_bounds(other.memo);
        status = rank_within(&other, &smaller, slack, out, diag);
    }
    hitop_choice_memo_free(other.memo);
    hitop_choice_sample_fini(&few);
    return status;
}

/* Estimate the time for all ranks from the times for FEW and for MORE ranks. */
static double extrapolate(double few, double more, int size)
{
    const double rounds = log2(FEW), more_rounds = log2(MORE), all_rounds = ceil(log2(size));
    const double whole = rounds * MORE - more_rounds * FEW;
    const double per_round = (few * MORE - more * FEW) / whole;
    const double per_rank = (more * rounds - few * more_rounds) / whole;

    /* Time grows with the rounds. A part may be constant: the larger groups are in both samples. */
    if (per_rank < 0 || more < 2 * few) {
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

/* The choice among all ranks, in the order of the estimates. */
struct finals {
    const struct hitop_choice_basis *basis;
    const struct hitop_call *call;
    double *promise; /* [count], the estimates; NaN: none, or predicted */
    size_t count;
    int is_limited; /* only the fastest needs its time */
    double steps;   /* that have been planned */
    double best;    /* the shortest time so far */
};

/* By the tree if that is enough; else the estimate, which is at least the bound. */
static enum hitop_status price_finalist_tree(struct finals *f, const struct hitop_choice *choice,
                                             struct choice_price *price, struct hitop_diag *diag)
{
    const double promise = price->seconds;
    const enum hitop_status status =
        hitop_choice_price_tree(f->basis, f->call, choice, f->call->bytes, INFINITY, price, diag);

    if (status == HITOP_OK && isinf(price->seconds)) {
        price->seconds = fmax(promise, price->least);
    }
    return status;
}

/*
 * Predict an algorithm that can serve the call: by its tree or its plans, or by its estimate where
 * plans would be too long.
 */
static enum hitop_status price_finalist(struct finals *f, struct hitop_choice *choice,
                                        double promise, struct hitop_diag *diag)
{
    struct choice_price price = {.seconds = promise};
    const double limit = f->is_limited ? f->best * CHOICE_SURE : INFINITY;
    const double tree_steps = (double)f->call->size;
    const int has_tree_price = hitop_choice_has_tree_price(f->basis, f->call, choice);
    enum hitop_status status = hitop_choice_applies(choice, f->call, f->basis->cost, diag);
    const double steps = status == HITOP_OK ? count_steps(choice, f->call) : INFINITY;

    if (steps <= (has_tree_price ? MAX_TREE_STEPS : MAX_STEPS)) {
        const size_t planned = f->basis->counts->planned;
        status = hitop_choice_find_price(f->basis, f->call, choice, limit, &price, diag);
        f->steps += f->basis->counts->planned > planned ? steps : steps / STEPS_BY_TREE;
        f->steps += has_tree_price ? tree_steps : 0;
    } else if (has_tree_price && tree_steps * 3 <= MAX_STEPS &&
               steps <= STEPS_BY_TREE * MAX_STEPS) {
        f->steps += tree_steps + steps / STEPS_BY_TREE;
        status = price_finalist_tree(f, choice, &price, diag);
    }
    choice->seconds = status == HITOP_OK ? price.seconds : NAN;
    return status;
}

/* Whether no algorithm that is left can be faster, or to try more would take too long. */
static int is_final(const struct finals *f, double promise)
{
    return f->steps > MAX_ALL_STEPS ||
           (f->steps > CHEAP_STEPS && promise > f->best * ESTIMATE_SLACK);
}

static enum hitop_status try_best(struct finals *f, struct hitop_candidate *out,
                                  struct hitop_diag *diag)
{
    ptrdiff_t i;

    while ((i = next_best(f->promise, f->count)) >= 0 && !is_final(f, f->promise[i])) {
        struct hitop_candidate *c = &out[i];
        struct hitop_diag why = HITOP_DIAG_INIT;
        const enum hitop_status status = price_finalist(f, &c->choice, f->promise[i], &why);

        f->promise[i] = NAN;
        if (status == HITOP_OK) {
            c->reason[0] = '\0';
            f->best = fmin(f->best, c->choice.seconds);
        } else if (status == HITOP_ERR_UNSUPPORTED) {
            (void)snprintf(c->reason, sizeof(c->reason), "%.150s", why.message);
        } else {
            return hitop_fail(diag, status, "%s", why.message);
        }
    }
    return HITOP_OK;
}

static enum hitop_status screen(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, int is_limited, size_t count,
                                double *promise, struct hitop_candidate *few,
                                struct hitop_candidate *out, struct hitop_diag *diag)
{
    struct finals finals = {.basis = basis,
                            .call = call,
                            .promise = promise,
                            .count = count,
                            .is_limited = is_limited,
                            .best = INFINITY};
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
    return status == HITOP_OK ? try_best(&finals, out, diag) : status;
}

/*
 * Predict the most promising algorithms for more than CHOICE_MANY ranks; the others get a reason
 * instead of a time.
 */
static enum hitop_status choice_screen(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, int is_limited,
                                       struct hitop_candidate *out, struct hitop_diag *diag)
{
    const size_t count = hitop_algorithm_count(call->operation);
    struct hitop_candidate *few = calloc(count + 1, sizeof(*few));
    double *promise = calloc(count + 1, sizeof(*promise));
    const enum hitop_status status =
        few && promise ? screen(basis, call, is_limited, count, promise, few, out, diag)
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
 * Predict an algorithm with its first parameters. Where only the fastest count, no time beyond the
 * limit is needed, except to find segments of an algorithm that has no tree.
 */
static enum hitop_status price_first_try(const struct search *s, size_t i, double bound,
                                         struct hitop_diag *diag)
{
    struct hitop_candidate *c = &s->candidates[i];
    const double limit = limit_of(s) * CHOICE_SURE;
    const int has_tree_price = hitop_choice_has_tree_price(s->basis, s->call, &c->choice);
    const int needs_time = !has_tree_price && hitop_choice_has_segments(c->choice.algorithm.type);
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (s->prices[i].seconds < INFINITY) {
        return HITOP_OK; /* known without a plan */
    }
    if (bound > limit * CHOICE_SURE) {
        s->basis->counts->skipped++;
        c->choice.seconds = INFINITY; /* the tree still shows whether segments may help */
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

/*
 * The bound of an algorithm: what its tree shows without segments, or the least time with any
 * parameters that are tried; 0 where only a plan shows it.
 */
static enum hitop_status find_bound(const struct search *s, size_t i, struct sched_prices *prices,
                                    double *bound, struct hitop_diag *diag)
{
    struct hitop_candidate *c = &s->candidates[i];
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (is_by_name(c->choice.algorithm) || s->effort != PROMISE) {
        return HITOP_OK;
    }
    if (!s->basis->irregular && hitop_ring_times(s->call, &c->choice, prices, &s->prices[i])) {
        c->choice.seconds = *bound = s->prices[i].seconds;
        hitop_choice_memo_add(s->basis->memo, s->call, &c->choice, &s->prices[i]);
        s->basis->counts->direct++;
        return HITOP_OK;
    }
    if (!hitop_choice_has_tree_price(s->basis, s->call, &c->choice)) {
        *bound = hitop_choice_bound(s->call, &c->choice, 1, prices);
        return HITOP_OK;
    }
    status = hitop_choice_price_tree(s->basis, s->call, &c->choice, s->call->bytes, INFINITY,
                                     &s->prices[i], &why);
    if (status == HITOP_OK) {
        *bound = s->prices[i].least;
        c->choice.seconds = s->prices[i].seconds;
    }
    return status == HITOP_OK || status == HITOP_ERR_UNSUPPORTED
               ? HITOP_OK
               : hitop_fail(diag, status, "%s", why.message);
}

static enum hitop_status find_bounds(const struct search *s, double *bound, struct hitop_diag *diag)
{
    struct sched_prices *prices;
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < s->count && status == HITOP_OK; i++) {
        status =
            hitop_choice_memo_prices(s->basis->memo, s->basis->cost, s->call->size, &prices, diag);
        if (status == HITOP_OK) {
            status = find_bound(s, i, prices, &bound[i], diag);
        }
    }
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

/* Find the best parameters, first of the algorithms that are fast without. */
static enum hitop_status tune(const struct search *s, struct hitop_diag *diag)
{
    double *least = calloc(s->count + 1, sizeof(*least));
    ptrdiff_t next;
    enum hitop_status status =
        least ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");

    for (size_t i = 0; i < s->count && status == HITOP_OK; i++) {
        least[i] = isnan(s->prices[i].seconds) ? NAN : s->prices[i].least;
    }
    while (status == HITOP_OK && (next = next_best(least, s->count)) >= 0) {
        status = hitop_choice_tune(s->basis, s->call, limit_of(s), &s->prices[next],
                                   &s->candidates[next].choice, diag);
        least[next] = NAN;
    }
    free(least);
    return status;
}

static enum hitop_status price_all(struct search *s, struct hitop_diag *diag)
{
    enum hitop_status status;

    s->prices = calloc(s->count + 1, sizeof(*s->prices));
    status = s->prices ? price_first_tries(s, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    if (status == HITOP_OK && s->effort != CUT) {
        status = tune(s, diag);
    }
    free(s->prices);
    return status;
}

static enum hitop_status search_with_memo(struct search *s, size_t *fastest,
                                          struct hitop_diag *diag)
{
    ptrdiff_t best;
    enum hitop_status status;

    s->count = hitop_algorithm_count(s->call->operation);
    status = s->call->size > CHOICE_MANY && s->effort != CUT
                 ? choice_screen(s->basis, s->call, s->effort == PROMISE, s->candidates, diag)
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

/* Search with counts and a memo of its own where the caller has none. */
static enum hitop_status search(struct search *s, size_t *fastest, struct hitop_diag *diag)
{
    struct hitop_choice_counts counts = {0};
    struct hitop_choice_basis own = *s->basis;
    int has_memo;
    enum hitop_status status = hitop_choice_check_priced(s->basis, s->call, diag);

    if (status != HITOP_OK) {
        return status;
    }
    own.counts = s->basis->counts ? s->basis->counts : &counts;
    own.memo = s->basis->memo ? s->basis->memo : hitop_choice_memo_new();
    if (!own.memo) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    has_memo = s->basis->memo != NULL;
    s->basis = &own;
    status = search_with_memo(s, fastest, diag);
    if (!has_memo) {
        hitop_choice_memo_free(own.memo);
    }
    return status;
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
