/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - the sends and receives of one member of a ring. */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/ring.h"

void hitop_ring_allgather(const struct team *team, const struct parts *parts, struct hitop_span all,
                          struct hitop_sched *sched)
{
    const int n = team->size, me = team->me;
    const int left = hitop_team_rank(team, (me + n - 1) % n),
              right = hitop_team_rank(team, (me + 1) % n);

    for (int k = 0; k + 1 < n; k++) {
        const int out = (me + n - k) % n, in = (out + n - 1) % n;
        message_recv(sched, left, parts_span(parts, all, in, in + 1));
        message_send(sched, right, parts_span(parts, all, out, out + 1));
        hitop_sched_fence(sched);
    }
}

/*
 * A reduction in progress. With `count` segments, item j is segment j % count of the part that
 * arrives in step j / count.
 */
struct turn {
    const struct team *team;
    const struct parts *parts;
    const struct segments *segments;
};

/* This rank's operand for the part of the member `back` places before it. */
static struct hitop_span brought(const struct turn *t, int back)
{
    const int n = t->team->size, part = (t->team->me + 2 * n - back) % n;

    return parts_span(t->parts, hitop_span_send(0, 0), part, part + 1);
}

/* The operand to add to item j. */
static struct hitop_span operand(const struct turn *t, size_t j)
{
    const size_t step = j / t->segments->count;

    return segments_cut(t->segments, brought(t, (int)step + 2), j % t->segments->count);
}

/* Where item j arrives: in one of two places, used in turn by steps. */
static struct hitop_span arrival(const struct turn *t, size_t j)
{
    const size_t step = j / t->segments->count;
    const size_t place = step % 2 * t->segments->bytes;

    return segments_cut(t->segments, hitop_span_work(place, brought(t, (int)step + 2).bytes),
                        j % t->segments->count);
}

/* The item that is sent while item j arrives. */
static struct hitop_span departure(const struct turn *t, size_t j)
{
    return j < t->segments->count ? segments_cut(t->segments, brought(t, 1), j)
                                  : arrival(t, j - t->segments->count);
}

struct hitop_span hitop_ring_reduce_scatter(const struct team *team, const struct parts *parts,
                                            const struct segments *segments,
                                            struct hitop_sched *sched)
{
    const struct turn turn = {team, parts, segments}, *t = &turn;
    const int n = team->size, me = team->me;
    const int left = hitop_team_rank(team, (me + n - 1) % n),
              right = hitop_team_rank(team, (me + 1) % n);
    const size_t items = (size_t)(n - 1) * segments->count;
    const int at_once = segments->count > 1; /* the item sent was combined in an earlier phase */

    if (n == 1) {
        return brought(t, 0);
    }
    for (size_t j = 0; j < items; j++) {
        message_recv(sched, left, arrival(t, j));
        if (at_once) {
            message_deliver(sched, right, departure(t, j));
        }
        if (j > 0) {
            hitop_sched_reduce(sched, operand(t, j - 1), arrival(t, j - 1));
        }
        if (!at_once) {
            message_send(sched, right, departure(t, j));
        }
        hitop_sched_fence(sched);
    }
    if (items > 0) {
        hitop_sched_reduce(sched, operand(t, items - 1), arrival(t, items - 1));
    }
    return hitop_span_work((size_t)(n % 2) * segments->bytes, brought(t, 0).bytes);
}
