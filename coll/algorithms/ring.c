/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - what one member receives from the left and sends to the right. */
#include <config.h>

#include "messages.h"
#include "ring.h"

void ring_allgather(const struct team *team, const struct parts *parts, struct hitop_span all,
                    struct hitop_sched *sched)
{
    const int n = team->size, me = team->me;
    const int left = team_rank(team, (me + n - 1) % n), right = team_rank(team, (me + 1) % n);

    for (int k = 0; k + 1 < n; k++) {
        const int out = (me + n - k) % n, in = (out + n - 1) % n;
        message_recv(sched, left, parts_span(parts, all, in, in + 1));
        message_send(sched, right, parts_span(parts, all, out, out + 1));
        hitop_sched_fence(sched);
    }
}
