/* SPDX-License-Identifier: BSD-3-Clause */
/* doubling.c - exchanges of aligned intervals of 1, 2, 4, ... parts. */
#include <config.h>

#include "coll/algorithms/doubling.h"
#include "coll/algorithms/messages.h"

void hitop_doubling_allgather(const struct team *team, const struct parts *parts,
                              struct hitop_span all, struct hitop_sched *sched)
{
    for (int length = 1; length < team->size; length *= 2) {
        const int mine = team->me & ~(length - 1), theirs = mine ^ length;
        const int peer = hitop_team_rank(team, team->me ^ length);
        message_recv(sched, peer, parts_span(parts, all, theirs, theirs + length));
        message_send(sched, peer, parts_span(parts, all, mine, mine + length));
        hitop_sched_fence(sched);
    }
}

void hitop_doubling_share(const struct team *team, struct hitop_span all, struct hitop_sched *sched)
{
    if (team->surplus) {
        message_recv(sched, team->partner, all);
    } else if (team->partner != HITOP_NO_RANK) {
        message_send(sched, team->partner, all);
    }
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

void hitop_halving_scatter(const struct team *team, const struct parts *parts,
                           struct hitop_span all, struct hitop_sched *sched)
{
    const int me = team->me, n = team->size;
    int length = 1; /* parts in the interval that begins with the own part */

    while (length < n && !(me & length)) {
        length *= 2;
    }
    if (me > 0) {
        message_recv(sched, hitop_team_rank(team, me - length),
                     parts_span(parts, all, me, min_int(me + length, n)));
        hitop_sched_fence(sched);
    }
    for (length /= 2; length > 0; length /= 2) {
        if (me + length < n) {
            message_send(sched, hitop_team_rank(team, me + length),
                         parts_span(parts, all, me + length, min_int(me + 2 * length, n)));
        }
    }
    hitop_sched_fence(sched);
}
