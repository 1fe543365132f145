/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message_set.c - sizes by halving of intervals.
 *
 * Idea:    the middle of the widest interval is measured; where it is off the line between the
 *          ends, both halves go on, else none. So a jump ends up between two sizes one stride
 *          apart, and no size is measured twice.
 */
#include <config.h>

#include "models/fit/precision.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The adaptive walk of MPIBlib over message sizes.
 *
 * Idea:    a step forward that doubles as long as the newest time is on the line through the two
 *          before it; else the step is halved and taken back, until it is the smallest.
 * Use:     to have the sizes that MPIBlib had. Its defects are kept, because they decide which
 *          ones: the place of the newest time among the others is not moved back with the step, so
 *          that a size may be measured twice, and then lies on the line by definition; so the walk
 *          goes on before it knows where a jump is.
 * Source:  A. Lastovetsky, V. Rychkov and M. O'Flynn, MPIBlib: Benchmarking MPI communications for
 *          parallel computing on homogeneous and heterogeneous clusters, EuroPVM/MPI (2008), for
 *          the options.
 */

/* A walk under way. */
struct mpiblib_walk {
    const struct hitop_message_set *set;
    struct hitop_message *sorted; /* by size but for those measured after a step back */
    size_t n, place;              /* that of the newest */
    size_t bytes, step;
};

/* Whether the newest time is on the line through the two before it. */
static int is_straight(const struct mpiblib_walk *w)
{
    const struct hitop_message *newest = &w->sorted[w->place];

    return w->place >= 2 && newest[-2].bytes != newest[-1].bytes &&
           hitop_message_deviation(&newest[-2], &newest[-1], newest) < w->set->max_diff;
}

/* 0 when that would be beyond the largest size. */
static int go_forward(struct mpiblib_walk *w)
{
    if (w->step > w->set->max_size - w->bytes) {
        return 0;
    }
    w->bytes += w->step;
    do {
        w->place++;
    } while (w->place < w->n && w->sorted[w->place].bytes < w->bytes);
    return 1;
}

static int go_on(struct mpiblib_walk *w)
{
    if (is_straight(w)) {
        w->step = w->step > SIZE_MAX / 2 ? SIZE_MAX : 2 * w->step;
    } else if (w->step / 2 > w->set->min_stride) {
        w->step /= 2;
        w->bytes -= w->step;
        return 1;
    }
    return go_forward(w);
}

static void insert(struct mpiblib_walk *w, const struct hitop_message *m)
{
    struct hitop_message *at = &w->sorted[w->place];

    memmove(at + 1, at, (w->n - w->place) * sizeof(*at));
    *at = *m;
    w->n++;
}

/* As hitop_message_set_walk(), of a set that is in range. */
static enum hitop_status message_mpiblib_walk(
    const struct hitop_message_set *set,
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag),
    void *data, struct hitop_message *out, size_t *n, struct hitop_diag *diag)
{
    struct mpiblib_walk w = {.set = set, .bytes = set->min_size, .step = set->min_stride};
    enum hitop_status status = HITOP_OK;
    int goes_on = 1;

    w.sorted = calloc(set->max_num, sizeof(*w.sorted));
    if (!w.sorted) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory for %zu", set->max_num);
    }
    while (goes_on && w.n < set->max_num) {
        if (w.place == w.n || w.sorted[w.place].bytes != w.bytes) {
            struct hitop_message *m = &out[w.n];
            m->bytes = w.bytes;
            status = time(data, m->bytes, &m->seconds, diag);
            if (status != HITOP_OK) {
                break;
            }
            insert(&w, m);
        }
        goes_on = go_on(&w);
    }
    *n = w.n;
    free(w.sorted);
    return status;
}

void hitop_message_set_defaults(struct hitop_message_set *set)
{
    *set = (struct hitop_message_set){
        .max_size = 204800, .max_diff = 0.1, .min_stride = 64, .max_num = 100};
}

double hitop_message_deviation(const struct hitop_message *x, const struct hitop_message *y,
                               const struct hitop_message *between)
{
    const double share =
        ((double)between->bytes - (double)x->bytes) / ((double)y->bytes - (double)x->bytes);
    const double expected = x->seconds + share * (y->seconds - x->seconds);

    if (expected == 0) {
        return between->seconds == 0 ? 0 : HUGE_VAL;
    }
    return fabs(1 - between->seconds / expected);
}

struct interval {
    struct hitop_message low, high;
};

/* A walk under way. */
struct walk {
    const struct hitop_message_set *set;
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag);
    void *data;
    struct hitop_message *out;
    size_t n;
    struct interval *open; /* in no order; max_num + 1 suffice: each size adds one at most */
    size_t nopen;
};

static enum hitop_status measure(struct walk *w, size_t bytes, struct hitop_diag *diag)
{
    struct hitop_message *m = &w->out[w->n];
    const enum hitop_status status = w->time(w->data, bytes, &m->seconds, diag);

    m->bytes = bytes;
    w->n += status == HITOP_OK;
    return status;
}

/* Intervals that are too narrow are left alone. */
static void enter(struct walk *w, const struct hitop_message *low, const struct hitop_message *high)
{
    if ((high->bytes - low->bytes) / 2 >= w->set->min_stride) {
        w->open[w->nopen++] = (struct interval){*low, *high};
    }
}

/* Remove the widest interval; of equals the lowest. */
static struct interval take(struct walk *w)
{
    struct interval taken;
    size_t best = 0;

    for (size_t i = 1; i < w->nopen; i++) {
        const size_t width = w->open[i].high.bytes - w->open[i].low.bytes;
        const size_t widest = w->open[best].high.bytes - w->open[best].low.bytes;
        if (width > widest || (width == widest && w->open[i].low.bytes < w->open[best].low.bytes)) {
            best = i;
        }
    }
    taken = w->open[best];
    w->open[best] = w->open[--w->nopen];
    return taken;
}

/* The middle, at a multiple of the stride. */
static size_t middle(const struct interval *i, size_t stride)
{
    const size_t bytes = i->low.bytes + (i->high.bytes - i->low.bytes) / 2;
    const size_t rounded = bytes - bytes % stride;

    return rounded > i->low.bytes ? rounded : bytes;
}

static enum hitop_status check(const struct hitop_message_set *set, struct hitop_diag *diag)
{
    if (set->min_size >= set->max_size || set->min_stride == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "sizes: from %zu to %zu by %zu bytes at least; the first must be smaller "
                          "than the second, the third at least 1",
                          set->min_size, set->max_size, set->min_stride);
    }
    if (!(set->max_diff > 0) || set->max_num < 2) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "sizes: a deviation of %g must be > 0, a number of %zu at least 2",
                          set->max_diff, set->max_num);
    }
    return HITOP_OK;
}

/* The size after bytes among the first ones. */
static size_t next_power(const struct hitop_message_set *set, size_t bytes)
{
    size_t power = set->min_stride;

    while (power <= bytes && power <= SIZE_MAX / 4) {
        power *= 4;
    }
    return power > bytes && power < set->max_size ? power : set->max_size;
}

/* The first sizes; the last place is kept for the largest. */
static enum hitop_status begin(struct walk *w, struct hitop_diag *diag)
{
    size_t bytes = w->set->min_size;
    enum hitop_status status;

    for (;;) {
        status = measure(w, bytes, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (w->n > 1) {
            enter(w, &w->out[w->n - 2], &w->out[w->n - 1]);
        }
        if (bytes == w->set->max_size) {
            return HITOP_OK;
        }
        bytes = w->n + 1 < w->set->max_num ? next_power(w->set, bytes) : w->set->max_size;
    }
}

static enum hitop_status halve(struct walk *w, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && w->nopen > 0 && w->n < w->set->max_num) {
        const struct interval i = take(w);
        const struct hitop_message *m = &w->out[w->n];
        status = measure(w, middle(&i, w->set->min_stride), diag);
        if (status == HITOP_OK && hitop_message_deviation(&i.low, &i.high, m) >= w->set->max_diff) {
            enter(w, &i.low, m);
            enter(w, m, &i.high);
        }
    }
    return status;
}

enum hitop_status hitop_message_set_walk(
    const struct hitop_message_set *set,
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag),
    void *data, struct hitop_message *out, size_t *n, struct hitop_diag *diag)
{
    struct walk w = {.set = set, .time = time, .data = data, .out = out};
    enum hitop_status status = check(set, diag);

    *n = 0;
    if (status != HITOP_OK) {
        return status;
    }
    if (set->choice == HITOP_CHOICE_MPIBLIB) {
        return message_mpiblib_walk(set, time, data, out, n, diag);
    }
    w.open = calloc(set->max_num + 1, sizeof(*w.open));
    if (!w.open) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory for %zu", set->max_num);
    }
    status = begin(&w, diag);
    if (status == HITOP_OK) {
        status = halve(&w, diag);
    }
    *n = w.n;
    free(w.open);
    return status;
}
