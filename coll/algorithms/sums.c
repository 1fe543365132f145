/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.c - combine operands that arrive, in rank order. */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/sums.h"

void hitop_sums_take(struct sums *sums, struct hitop_sched *sched, size_t start, size_t bytes,
                     int arrived_is_left)
{
    const struct hitop_span sum = sums_part(sums->sum, start, bytes);
    const struct hitop_span arrived = sums_part(sums->spare, start, bytes);

    if (arrived_is_left || !sums->ordered) {
        hitop_sched_reduce(sched, arrived, sum);
    } else {
        const struct hitop_span old = sums->sum;
        hitop_sched_reduce(sched, sum, arrived);
        sums->sum = sums->spare;
        sums->spare = old;
    }
    hitop_sched_fence(sched);
}

void hitop_sums_settle(const struct sums *sums, struct hitop_sched *sched, struct hitop_span all,
                       size_t start, size_t bytes)
{
    if (sums->sum.buffer != all.buffer || sums->sum.offset != all.offset) {
        hitop_sched_copy(sched, sums_part(sums->sum, start, bytes), sums_part(all, start, bytes));
    }
}

void hitop_sums_add_surplus(struct sums *sums, const struct team *team, struct hitop_span own,
                            struct hitop_sched *sched)
{
    if (team->surplus) {
        message_send(sched, team->partner, own);
        hitop_sched_fence(sched);
    } else if (team->partner != HITOP_NO_RANK) {
        message_recv(sched, team->partner, sums->spare);
        hitop_sched_fence(sched);
        hitop_sums_take(sums, sched, 0, own.bytes, team->odd);
    }
}

void hitop_sums_begin(struct sums *sums, const struct team *team, struct hitop_sched *sched)
{
    const struct hitop_span own = hitop_span_send(0, sums->sum.bytes);

    if (!team->surplus) {
        hitop_sched_copy(sched, own, sums->sum);
    }
    hitop_sums_add_surplus(sums, team, own, sched);
}

void hitop_sums_halve(struct sums *sums, const struct team *team, const struct parts *parts,
                      struct hitop_sched *sched)
{
    for (int length = team->size / 2; length > 0; length /= 2) {
        const int keep = team->me & ~(length - 1), give = keep ^ length, other = team->me ^ length;
        const struct hitop_span kept = parts_span(parts, sums->spare, keep, keep + length);
        message_recv(sched, hitop_team_rank(team, other), kept);
        message_send(sched, hitop_team_rank(team, other),
                     parts_span(parts, sums->sum, give, give + length));
        hitop_sched_fence(sched);
        hitop_sums_take(sums, sched, kept.offset - sums->spare.offset, kept.bytes,
                        hitop_team_number(team, other) < hitop_team_number(team, team->me));
    }
}
