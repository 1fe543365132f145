/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice_tune.c - try the parameters of an algorithm.
 *
 * Mere numbers are tried one after another over a grid: of small ones all, as one of them may be
 * that of the ranks on a host. Sizes of segments start from a pipeline: k segments of s bytes take
 * the time of one message of s bytes, and k - 1 times the beat of the slowest rank. With both a
 * fixed time and a time per byte, A + B s and a + b s, that is least where s^2 = m a / (B - b),
 * which of d equal stages is m a / ((d - 1) b). From there sizes are halved and doubled while that
 * helps; as times over sizes have small dents, one step that does not help is not the end.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"

#include "hitop/irregular.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <math.h>
#include <string.h>

/* More segments are not worth the time to plan them. */
#define MAX_SEGMENTS 1024.0
#define MAX_RANK_SEGMENTS 131072.0

/* How much faster than its estimate a pipeline may turn out. */
#define DOUBT 1.6

/*
 * How much faster than with the first size of segments it may become with another one, where
 * algorithms are shared: of those estimates know nothing.
 */
#define HOPELESS 3

struct tuning {
    const struct hitop_choice_basis *basis;
    const struct hitop_call *call;
    double limit;
    struct hitop_choice *best;
    struct choice_price price; /* of the best */
};

/* Keep a choice that is faster; 1 if it is. One that cannot be planned is none. */
static int keep_if_faster(struct tuning *t, struct hitop_choice *choice, enum hitop_status *status,
                          struct hitop_diag *diag)
{
    struct choice_price price;

    *status = hitop_choice_find_price(t->basis, t->call, choice, &price, diag);
    if (*status == HITOP_ERR_UNSUPPORTED || *status == HITOP_ERR_INVALID) {
        *status = HITOP_OK;
        return 0;
    }
    if (*status != HITOP_OK || !choice_is_faster(price.seconds, t->price.seconds)) {
        return 0;
    }
    choice->seconds = price.seconds;
    *t->best = *choice;
    t->price = price;
    return 1;
}

/* A grid of whole numbers within the range of a parameter. */
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
            (void)keep_if_faster(t, &choice, &status, diag);
        }
    }
    return status;
}

/* The message, or all blocks together. */
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

/* Shorter segments would take too long to plan. */
static double shortest(const struct hitop_call *call)
{
    return whole(call) * fmax(1 / MAX_SEGMENTS, call->size / MAX_RANK_SEGMENTS);
}

/* The best size of segments by the formula above, and the time then. */
static enum hitop_status estimate(const struct tuning *t, double *size, double *seconds,
                                  struct hitop_diag *diag)
{
    const double m = whole(t->call);
    struct hitop_call shorter = *t->call;
    struct choice_price price;
    double fixed, a, b, more, difference;
    enum hitop_status status;

    shorter.bytes = hitop_choice_class(t->call->bytes / 16, t->call->unit);
    status = hitop_choice_find_price(t->basis, &shorter, t->best, &price, diag);
    if (status != HITOP_OK) {
        return status;
    }
    difference = m - whole(&shorter);
    b = (t->price.stage - price.stage) / difference;
    a = fmax(t->price.stage - b * m, 0);
    more = (t->price.seconds - price.seconds) / difference - b;
    fixed = fmax(t->price.seconds - t->price.stage - more * m, 0);
    *size = more > 0 ? sqrt(m * a / more) : m;
    *size = fmax(*size, shortest(t->call));
    *seconds = fixed + more * *size + m / *size * (a + b * *size);
    return HITOP_OK;
}

static int try_size(struct tuning *t, size_t place, double size, enum hitop_status *status,
                    struct hitop_diag *diag)
{
    struct hitop_choice choice = *t->best;
    const double segment = (double)hitop_choice_class((size_t)size, t->call->unit);

    if (*status != HITOP_OK || segment < 1 || segment >= whole(t->call)) {
        return 0;
    }
    choice.params[place] = segment;
    return keep_if_faster(t, &choice, status, diag);
}

/* Smaller or larger sizes from one on; the best of them, or that one. */
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

/* Sizes of segments, if they may make the algorithm faster than the limit. */
static enum hitop_status tune_size(struct tuning *t, size_t place, struct hitop_diag *diag)
{
    double first, size, seconds;
    enum hitop_status status = HITOP_OK;

    if (t->call->bytes / 16 < (t->call->unit > 0 ? t->call->unit : 1)) {
        return HITOP_OK; /* nothing to cut */
    }
    status = estimate(t, &first, &seconds, diag);
    if (status != HITOP_OK || seconds > t->limit * DOUBT || seconds > t->price.seconds * DOUBT) {
        return status;
    }
    (void)try_size(t, place, first, &status, diag);
    if (t->basis->cost->crossings && t->price.seconds > t->limit * HOPELESS) {
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

/*
 * The longest of the fewest pieces, of one length if possible, that have no more than `most`
 * elements.
 */
static size_t split_evenly(size_t elements, size_t most)
{
    const size_t pieces = (elements - 1) / most + 1;

    return (elements - 1) / pieces + 1;
}

/* The fewest pieces that are all below a size, of one length. */
static enum hitop_status tune_piece_below(struct tuning *t, size_t place, double limit,
                                          struct hitop_diag *diag)
{
    const size_t unit = t->call->unit > 0 ? t->call->unit : 1;
    const size_t elements = t->call->bytes / unit;
    const size_t most = limit > 1 ? (size_t)(ceil(limit) - 1) / unit : 0;
    struct hitop_choice choice = *t->best;
    enum hitop_status status = HITOP_OK;

    if (most == 0 || elements <= most) { /* where nothing is known, too: NaN > 1 is false */
        return HITOP_OK;
    }
    choice.params[place] = (double)(split_evenly(elements, most) * unit);
    (void)keep_if_faster(t, &choice, &status, diag);
    return status;
}

/*
 * Pieces are for what messages at once take longer than by themselves; nothing else makes them
 * worth while.
 */
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

enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag)
{
    struct tuning t = {.basis = basis, .call = call, .limit = limit, .best = best, .price = *price};
    const struct hitop_algorithm algorithm = best->algorithm;
    enum hitop_status status = HITOP_OK;

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
