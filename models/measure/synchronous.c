/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronous.c - find the sizes at which the call that sends a message lasts as long as the
 * message.
 *
 * Idea:  the call of an eager send ends before the message has arrived; that of a synchronous one
 *        (rendezvous) waits for the receiver. So the time of the send call is compared with the
 *        one-way time, half of a round trip.
 */
#include <config.h>

#include "models/measure/fit_impl.h"

/* The share of the one-way time from which a call counts as one that waits. */
static const double whole = 0.9;

void hitop_find_synchronous(const struct hitop_evidence *e, struct hitop_class *out)
{
    const struct hitop_curve *echo = &e->curve[HITOP_ECHO], *send = &e->curve[HITOP_SEND_CALL];
    size_t i = echo->npoints, k = send->npoints;

    while (i > 0 && k > 0) {
        const struct hitop_point *message = &echo->points[i - 1], *call = &send->points[k - 1];
        if (message->bytes != call->bytes) { /* one of them lacks the size */
            i -= message->bytes > call->bytes;
            k -= message->bytes < call->bytes;
            continue;
        }
        if (call->seconds < whole * message->seconds) {
            return;
        }
        out->is_synchronous = 1;
        out->synchronous = call->bytes;
        i--;
        k--;
    }
}
