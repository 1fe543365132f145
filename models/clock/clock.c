/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.c - the offset between two clocks from messages, and a line that predicts it.
 *
 * Offset:   the other clock stamps each message between its departure and the arrival of its
 *           answer. So stamp - received <= offset <= stamp - sent, and the largest lower bound and
 *           the smallest upper one need not come from one exchange: each direction has its own
 *           fastest message.
 * Mean:     clocks have steps, and the bounds of an offset are multiples of them. The middles of
 *           exchanges have steps, too, but lie on either side of the true offset, so that the error
 *           of their mean falls with their number. Delayed exchanges take long; the slower half is
 *           left out.
 * Line:     other(t) = t + offset + drift (t - at), by weighted least squares. A weight is
 *           1 / width^2, where width is the distance between the bounds of the offset; disturbed
 *           exchanges have wide bounds.
 * Source:   the synchronisation of SKaMPI; T. Worsch, R. Reussner, W. Augustin, On benchmarking
 *           collective MPI operations, EuroPVM/MPI 2002.
 */
#include <config.h>

#include "models/clock/clock.h"

#include <gsl/gsl_fit.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double now(void *self)
{
    struct timespec t;

    (void)self;
#ifdef CLOCK_MONOTONIC_RAW
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &t);
#else
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct hitop_clock hitop_clock_monotonic(void)
{
    return (struct hitop_clock){now, NULL};
}

enum hitop_status hitop_clock_offset(const struct hitop_clock_exchange *exchanges, int n,
                                     struct hitop_clock_offset *out, struct hitop_diag *diag)
{
    double lower = -INFINITY, upper = INFINITY;
    double lower_at = 0, upper_at = 0;

    *out = (struct hitop_clock_offset){0};
    if (n < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock offset: %d exchanges; at least 1", n);
    }
    for (int i = 0; i < n; i++) {
        const struct hitop_clock_exchange *x = &exchanges[i];
        if (!(x->sent <= x->received && isfinite(x->stamp) && isfinite(x->received - x->sent))) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "clock offset: exchange %d was sent at %.9g, stamped %.9g and "
                              "answered at %.9g",
                              i, x->sent, x->stamp, x->received);
        }
        if (x->stamp - x->received > lower) {
            lower = x->stamp - x->received;
            lower_at = x->received;
        }
        if (x->stamp - x->sent < upper) {
            upper = x->stamp - x->sent;
            upper_at = x->sent;
        }
    }
    /*
     * The bounds hold at their own moments, and the middle of them halfway between: with drift it
     * is exact there. For the same reason they may cross.
     */
    out->at = 0.5 * lower_at + 0.5 * upper_at;
    out->offset = 0.5 * lower + 0.5 * upper;
    out->error = 0.5 * fabs(upper - lower);
    return HITOP_OK;
}

static double round_trip(const struct hitop_clock_exchange *x)
{
    return x->received - x->sent;
}

static int by_round_trip(const void *a, const void *b)
{
    const double x = round_trip(a), y = round_trip(b);

    return (x > y) - (x < y);
}

enum hitop_status hitop_clock_offset_mean(struct hitop_clock_exchange *exchanges, int n,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_clock_offset(exchanges, n, out, diag);
    double at = 0, offset = 0;
    int quick = 0;

    if (status != HITOP_OK) {
        return status;
    }
    qsort(exchanges, (size_t)n, sizeof(*exchanges), by_round_trip);
    for (int i = 0; i < n && round_trip(&exchanges[i]) <= round_trip(&exchanges[(n - 1) / 2]);
         i++) {
        const double middle = 0.5 * exchanges[i].sent + 0.5 * exchanges[i].received;
        at += middle;
        offset += exchanges[i].stamp - middle;
        quick++;
    }
    *out = (struct hitop_clock_offset){.at = at / quick,
                                       .offset = offset / quick,
                                       .error = 0.5 * round_trip(&exchanges[quick - 1])};
    return HITOP_OK;
}

/*
 * The least width of the bounds of an offset, relative to the widest ones; it limits the weight of
 * one offset.
 */
static const double narrowest = 1e-3;

/*
 * Fill in times and offsets relative to the first ones, so that large readings of the clock cost no
 * precision.
 */
static void fill(const struct hitop_clock_offset *o, int n, double *x, double *y, double *w)
{
    double widest = 0;

    for (int i = 0; i < n; i++) {
        widest = fmax(widest, o[i].error);
    }
    for (int i = 0; i < n; i++) {
        const double width = widest > 0 ? fmax(o[i].error / widest, narrowest) : 1;
        x[i] = o[i].at - o[0].at;
        y[i] = o[i].offset - o[0].offset;
        w[i] = 1 / (width * width);
    }
}

enum hitop_status hitop_clock_line_fit(const struct hitop_clock_offset *offsets, int n,
                                       struct hitop_clock_line *out, struct hitop_diag *diag)
{
    double *x;
    double c0, c1, cov00, cov01, cov11, chi_squared;

    *out = (struct hitop_clock_line){0};
    x = calloc((size_t)n, 3 * sizeof(*x));
    if (!x) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "clock line: out of memory for %d offsets", n);
    }
    fill(offsets, n, x, x + n, x + 2 * n);
    (void)gsl_fit_wlinear(x, 1, x + 2 * n, 1, x + n, 1, (size_t)n, &c0, &c1, &cov00, &cov01, &cov11,
                          &chi_squared);
    free(x);
    if (!(fabs(c1) <= 0.5)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "clock line: a drift of +-%g s per second (nan: all offsets are of one "
                          "moment); at most 0.5",
                          fabs(c1));
    }
    *out = (struct hitop_clock_line){
        .at = offsets[0].at, .offset = offsets[0].offset + c0, .drift = c1};
    return HITOP_OK;
}

double hitop_clock_line_apply(const struct hitop_clock_line *line, double local)
{
    return local + line->offset + line->drift * (local - line->at);
}

double hitop_clock_line_invert(const struct hitop_clock_line *line, double other)
{
    return line->at + (other - line->at - line->offset) / (1 + line->drift);
}

struct hitop_clock_line hitop_clock_line_chain(const struct hitop_clock_line *first,
                                               const struct hitop_clock_line *second)
{
    const double at = first->at;
    const double after = at + first->offset - second->at; /* on the second clock */

    return (struct hitop_clock_line){
        .at = at,
        .offset = first->offset + second->offset + second->drift * after,
        .drift = first->drift + second->drift + first->drift * second->drift};
}
