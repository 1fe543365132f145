/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_tune.c - find the best parameters of an algorithm.
 *
 * Parameters that are plain numbers are tried over a grid with all small numbers, as one of these
 * can be the number of ranks on a host. For segments, a pipeline gives the first size: k segments
 * of s bytes take the time of one message of s bytes, and k - 1 times the longest phase of any
 * rank. With these times as A + B s and a + b s for a message of m bytes, the total is smallest at
 * s^2 = m a / (B - b); for d equal stages this is m a / ((d - 1) b). Then sizes are halved or
 * doubled as long as that helps. The time over sizes has small dents, so the search stops only
 * after two sizes in a row without gain.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"

#include "hitop/irregular.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The limits of segments of a message, and of segments times ranks. More take too long to plan. */
#define MAX_SEGMENTS 1024.0
#define MAX_RANK_SEGMENTS 131072.0

/*
 * How much faster a pipeline can be than its estimate, and with the best size of segments than with
 * the first one.
 */
#define DOUBT 1.6

struct tuning {
    const struct hitop_choice_basis *basis;
    const struct hitop_call *call;
    double limit;
    double most;           /* longer times need not be known */
    int has_tree_price;    /* the tree shows lower bounds */
    int segments_may_help; /* they may make it faster than the limit */
    struct hitop_choice *best;
    struct choice_price price; /* of the best */
};

/*
 * Whether a choice is faster than the best one; of two beyond `most`, whose times need not be
 * known, whether its lower bound is lower, as further parameters may bring it below.
 */
static int is_better(const struct tuning *t, const struct choice_price *price, double most)
{
    if (t->has_tree_price && price->seconds > most && t->price.seconds > most) {
        return choice_is_faster(price->least, t->price.least);
    }
    return choice_is_faster(price->seconds, t->price.seconds);
}

/* Predict a choice. Its time is needed only if it is at most `most` and faster than the best one.
 */
static enum hitop_status find_price(const struct tuning *t, const struct hitop_choice *choice,
                                    double most, struct choice_price *out, struct hitop_diag *diag)
{
    const double needed = fmin(most, t->price.seconds);
    struct choice_price simulated;
    enum hitop_status status;

    if (!t->has_tree_price) {
        return hitop_choice_find_price(t->basis, t->call, choice, needed, out, diag);
    }
    status = hitop_choice_price_tree(t->basis, t->call, choice, t->call->bytes,
                                     fmax(needed, t->price.least), out, diag);
    if (status != HITOP_OK || out->seconds < INFINITY) {
        return status;
    }
    if (out->least > needed * CHOICE_SURE) {
        t->basis->counts->skipped++;
        return HITOP_OK;
    }
    status = hitop_choice_find_price(t->basis, t->call, choice, needed, &simulated, diag);
    out->seconds = simulated.seconds;
    return status;
}

/* Keep a choice if it is better, and return 1. A choice that cannot be planned is ignored. */
static int keep_if_better(struct tuning *t, struct hitop_choice *choice, double most,
                          enum hitop_status *status, struct hitop_diag *diag)
{
    struct choice_price price;

    *status = find_price(t, choice, most, &price, diag);
    if (*status == HITOP_ERR_UNSUPPORTED || *status == HITOP_ERR_INVALID) {
        *status = HITOP_OK;
        return 0;
    }
    if (*status != HITOP_OK || !is_better(t, &price, most)) {
        return 0;
    }
    choice->seconds = price.seconds;
    *t->best = *choice;
    t->price = price;
    return 1;
}

/* Try a grid of whole numbers within the range of a parameter. */
static enum hitop_status tune_number(struct tuning *t, const struct hitop_param *param,
                                     size_t place, int of_tree, struct hitop_diag *diag)
{
    static const double grid[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                  13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64};
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < sizeof(grid) / sizeof(grid[0]) && status == HITOP_OK; i++) {
        struct hitop_choice choice = *t->best;
        double *value = of_tree ? &choice.tree_params[place] : &choice.params[place];
        if (grid[i] >= param->min && grid[i] <= param->max && grid[i] < t->call->size &&
            *value != grid[i]) {
            *value = grid[i];
            (void)keep_if_better(t, &choice, t->segments_may_help ? INFINITY : t->most, &status,
                                 diag);
        }
    }
    return status;
}

/* Bytes of the message, or of all blocks together. */
static double whole(const struct hitop_call *call)
{
    const struct hitop_operation *operation = call->operation;
    const int blocks = operation->brings == HITOP_BLOCKS || operation->takes == HITOP_BLOCKS;

    return (double)call->bytes * (blocks ? call->size : 1);
}

static int is_piece(const struct hitop_param *param)
{
    return strcmp(param->name, "piece") == 0;
}

double hitop_choice_cut_bytes(const struct hitop_call *call, const struct hitop_param *param)
{
    if (strcmp(param->unit, "B") != 0) {
        return 0;
    }
    return is_piece(param) ? (double)call->bytes : whole(call);
}

/* The shortest segments that are tried; shorter ones take too long to plan. */
static double shortest(const struct hitop_call *call)
{
    return whole(call) * fmax(1 / MAX_SEGMENTS, call->size / MAX_RANK_SEGMENTS);
}

/* Estimate the best size of segments by the formula above, and the time with it. */
static enum hitop_status estimate(const struct tuning *t, double *size, double *seconds,
                                  struct hitop_diag *diag)
{
    const double m = whole(t->call);
    struct hitop_call shorter = *t->call;
    struct choice_price price;
    double fixed, a, b, more, difference;
    enum hitop_status status;

    shorter.bytes = hitop_choice_class(t->call->bytes / 16, t->call->unit);
    status = t->has_tree_price
                 ? hitop_choice_price_tree(t->basis, t->call, t->best, shorter.bytes, INFINITY,
                                           &price, diag)
                 : hitop_choice_find_price(t->basis, &shorter, t->best, INFINITY, &price, diag);
    if (status != HITOP_OK) {
        return status;
    }
    difference = m - whole(&shorter);
    b = (t->price.stage - price.stage) / difference;
    a = fmax(t->price.stage - b * m, 0);
    more = (t->price.least - price.least) / difference - b;
    fixed = fmax(t->price.least - t->price.stage - more * m, 0);
    *size = more > 0 ? sqrt(m * a / more) : m;
    *size = fmax(*size, shortest(t->call));
    *seconds = fixed + more * *size + m / *size * (a + b * *size);
    return HITOP_OK;
}

/*
 * From this number of bytes on a segment is as long as what the algorithm cuts: the plan is that
 * without segments, whose time is known.
 */
static size_t longest(const struct tuning *t)
{
    const struct hitop_call *call = t->call;
    const struct hitop_operation *o = call->operation;
    const size_t unit = call->unit > 0 ? call->unit : 1;

    switch (call->starts ? HITOP_CUT_ALL : t->best->algorithm.type->cut) {
    case HITOP_CUT_HALF:
        return hitop_part_start(call->bytes, unit, 2, 1);
    case HITOP_CUT_SHARE:
        return o->brings >= HITOP_BLOCK || o->takes >= HITOP_BLOCK
                   ? call->bytes
                   : hitop_part_start(call->bytes, unit, call->size, 1);
    default:
        return SIZE_MAX;
    }
}

static int try_size(struct tuning *t, size_t place, double size, enum hitop_status *status,
                    struct hitop_diag *diag)
{
    struct hitop_choice choice = *t->best;
    const double segment = (double)hitop_choice_class((size_t)size, t->call->unit);

    if (*status != HITOP_OK || segment < 1 || segment >= whole(t->call) ||
        segment >= (double)longest(t)) {
        return 0;
    }
    choice.params[place] = segment;
    return keep_if_better(t, &choice, t->most, status, diag);
}

/* Try smaller or larger sizes, beginning at `size`; return the best one. */
static double walk(struct tuning *t, size_t place, double size, double factor,
                   enum hitop_status *status, struct hitop_diag *diag)
{
    const double least = shortest(t->call);
    double best = size;

    for (int misses = 0; misses < 2 && size * factor >= least && size * factor < whole(t->call);) {
        size *= factor;
        if (try_size(t, place, size, status, diag)) {
            best = size;
            misses = 0;
        } else {
            misses++;
        }
    }
    return best;
}

/* Find the first size of segments to try; 0: none can make the algorithm faster than the limit. */
static enum hitop_status find_first_size(const struct tuning *t, double *first,
                                         struct hitop_diag *diag)
{
    double seconds;
    enum hitop_status status;

    *first = 0;
    if (t->call->bytes / 16 < (t->call->unit > 0 ? t->call->unit : 1)) {
        return HITOP_OK; /* nothing to cut */
    }
    status = estimate(t, first, &seconds, diag);
    if (status == HITOP_OK &&
        (*first >= 2 * whole(t->call) || seconds > fmin(t->limit, t->price.least) * DOUBT)) {
        *first = 0;
    }
    return status;
}

/*
 * The plain numbers of a tree are compared without segments. Where segments may make the algorithm
 * faster than the limit, that needs times beyond the limit, too: find the time with the default
 * numbers.
 */
static enum hitop_status prepare_numbers(struct tuning *t, struct hitop_diag *diag)
{
    const struct hitop_tree_builder *tree = t->best->algorithm.tree;
    double first;
    enum hitop_status status;

    if (!tree || tree->nparams == 0 || !t->has_tree_price || !t->segments_may_help) {
        return HITOP_OK;
    }
    status = find_first_size(t, &first, diag);
    t->segments_may_help = first > 0;
    if (status == HITOP_OK && t->segments_may_help && isinf(t->price.seconds)) {
        status = hitop_choice_find_price(t->basis, t->call, t->best, INFINITY, &t->price, diag);
        t->best->seconds = t->price.seconds;
    }
    return status;
}

/* Try sizes of segments. */
static enum hitop_status tune_size(struct tuning *t, size_t place, struct hitop_diag *diag)
{
    double first, size;
    enum hitop_status status = find_first_size(t, &first, diag);

    if (status != HITOP_OK || first == 0) {
        return status;
    }
    (void)try_size(t, place, first, &status, diag);
    if (!t->has_tree_price && t->price.seconds > t->limit * DOUBT) {
        return status;
    }
    size = walk(t, place, first, 0.5, &status, diag);
    if (size == first) {
        size = walk(t, place, first, 2, &status, diag);
    }
    if (size / 1.4 >= shortest(t->call)) {
        (void)try_size(t, place, size / 1.4, &status, diag);
    }
    (void)try_size(t, place, size * 1.4, &status, diag);
    return status;
}

/* Try the fewest pieces of equal length that are all shorter than `limit` bytes. */
static enum hitop_status tune_piece_below(struct tuning *t, size_t place, double limit,
                                          struct hitop_diag *diag)
{
    const size_t piece = hitop_choice_piece_below(t->call, limit);
    struct hitop_choice choice = *t->best;
    enum hitop_status status = HITOP_OK;

    if (piece == 0) {
        return HITOP_OK;
    }
    choice.params[place] = (double)piece;
    (void)keep_if_better(t, &choice, t->most, &status, diag);
    return status;
}

/* Pieces help only where concurrent messages take longer than single ones: beyond S and M1. */
static enum hitop_status tune_piece(struct tuning *t, size_t place, struct hitop_diag *diag)
{
    const struct hitop_irregular *irregular = t->basis->irregular;
    enum hitop_status status = HITOP_OK;

    if (irregular) {
        status = tune_piece_below(t, place, irregular->S, diag);
    }
    if (irregular && status == HITOP_OK) {
        status = tune_piece_below(t, place, irregular->M1, diag);
    }
    return status;
}

/*
 * Whether a ring takes longer than the limit with any size of segments. Its time without segments
 * was known before such a bound was asked for.
 */
static enum hitop_status find_hopeless(const struct tuning *t, int *is_hopeless,
                                       struct hitop_diag *diag)
{
    struct sched_prices *prices;
    enum hitop_status status;

    if (t->best->algorithm.type->turns == 0 || !t->segments_may_help) {
        return HITOP_OK;
    }
    status = hitop_choice_memo_prices(t->basis->memo, t->basis->cost, t->call->size, &prices, diag);
    *is_hopeless = status == HITOP_OK &&
                   hitop_choice_bound(t->call, t->best, 1, prices) > t->limit * CHOICE_SURE;
    return status;
}

enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag)
{
    const struct hitop_algorithm algorithm = best->algorithm;
    const int has_tree_price = hitop_choice_has_tree_price(basis, call, best);
    const int has_segments = hitop_choice_has_segments(algorithm.type);
    struct tuning t = {.basis = basis,
                       .call = call,
                       .limit = limit,
                       .most = has_tree_price || !has_segments ? limit * CHOICE_SURE : INFINITY,
                       .has_tree_price = has_tree_price,
                       .segments_may_help = has_segments,
                       .best = best,
                       .price = *price};
    int is_hopeless = 0;
    enum hitop_status status = find_hopeless(&t, &is_hopeless, diag);

    if (status == HITOP_OK && !is_hopeless) {
        status = prepare_numbers(&t, diag);
    }
    if (status != HITOP_OK || is_hopeless) {
        return status;
    }
    for (size_t p = 0; algorithm.tree && p < algorithm.tree->nparams && status == HITOP_OK; p++) {
        status = tune_number(&t, &algorithm.tree->params[p], p, 1, diag);
    }
    for (size_t p = 0; p < algorithm.type->nparams && status == HITOP_OK; p++) {
        const struct hitop_param *param = &algorithm.type->params[p];
        if (is_piece(param)) {
            status = tune_piece(&t, p, diag);
        } else if (strcmp(param->unit, "B") == 0) {
            status = tune_size(&t, p, diag);
        } else {
            status = tune_number(&t, param, p, 0, diag);
        }
    }
    return status;
}
