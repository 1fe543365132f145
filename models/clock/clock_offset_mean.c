/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_offset_mean.c - a small offset between two clocks from the faster half of many exchanges.
 *
 * Idea:    clocks have steps, and the bounds of an offset are multiples of them. The middles of
 *          exchanges have steps, too, but lie on either side of the true offset, so that the error
 *          of their mean falls with their number. Delayed exchanges take long; the slower half is
 *          left out.
 */
#include <config.h>

#include "models/clock/clock.h"

#include <stdlib.h>

static double round_trip(const struct hitop_clock_exchange *x)
{
    return x->received - x->sent;
}

static int compare(const void *a, const void *b)
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
    qsort(exchanges, (size_t)n, sizeof(*exchanges), compare);
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
