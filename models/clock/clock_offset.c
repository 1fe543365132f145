/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_offset.c - the offset between two clocks from an envelope of messages.
 *
 * Idea:    the other clock stamps each message between its departure and the arrival of its answer.
 *          So stamp - received <= offset <= stamp - sent, and the largest lower bound and the
 *          smallest upper one need not come from one exchange: each direction has its own fastest
 *          message.
 * Source:  the synchronisation of SKaMPI; T. Worsch, R. Reussner, W. Augustin, On benchmarking
 *          collective MPI operations, EuroPVM/MPI 2002.
 */
#include <config.h>

#include "models/clock/clock.h"

#include <math.h>

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
    /* The bounds hold at their own moments, and the middle of them halfway between: with drift it
     * is exact there. For the same reason they may cross. */
    out->at = 0.5 * lower_at + 0.5 * upper_at;
    out->offset = 0.5 * lower + 0.5 * upper;
    out->error = 0.5 * fabs(upper - lower);
    return HITOP_OK;
}
