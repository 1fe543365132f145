/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_times.c - find the slowest link of a ring, and whether two links of the ring share a trunk.
 */
#include <config.h>

#include "coll/predict/ring_times.h"

#include "coll/predict/uncontended.h"

#include "hitop/coroutine.h"
#include "hitop/sys/coll.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of the share that a rank sends in each step; 0: they differ, or are cut into segments. */
static size_t share_of(const struct hitop_call *call, const struct hitop_choice *choice)
{
    const size_t unit = call->unit > 0 ? call->unit : 1, n = (size_t)call->size;
    const int is_message = call->operation->brings == HITOP_MESSAGE;
    const size_t share = is_message ? call->bytes / n : call->bytes;
    const double segment =
        hitop_choice_has_segments(choice->algorithm.type) ? choice->params[0] : 0;

    if ((is_message && call->bytes % (n * unit) != 0) || (segment > 0 && segment < (double)share)) {
        return 0;
    }
    return share;
}

/* Count the trunks of a message as used; return 0 if one is in use. */
static int use_trunks(const struct sched_prices *prices, const struct uncontended *m,
                      unsigned char *is_used)
{
    const struct hitop_crossing *c = prices->crossings + m->first;

    for (int i = 0; i < m->ncrossings; i++) {
        if (c[i].seconds > 0 && is_used[c[i].trunk]) {
            return 0;
        }
        is_used[c[i].trunk] = 1;
    }
    return 1;
}

/* The seconds of a message over the slowest link; NaN where links share trunks. */
static double slowest_link(int size, size_t bytes, struct sched_prices *prices)
{
    unsigned char *is_used = calloc((size_t)prices->cost->ntrunks + 1, 1);
    double slowest = is_used ? 0 : NAN;

    for (int r = 0; r < size && !isnan(slowest); r++) {
        const struct uncontended m =
            hitop_uncontended(prices, hitop_sched_price(prices, r, (r + 1) % size, bytes));
        slowest = use_trunks(prices, &m, is_used) ? fmax(slowest, m.reach + m.reception) : NAN;
    }
    free(is_used);
    (void)hitop_coroutine_yield(1 + (size_t)size / 4);
    return prices->out_of_memory ? NAN : slowest;
}

int hitop_ring_times(const struct hitop_call *call, const struct hitop_choice *choice,
                     struct sched_prices *prices, struct choice_price *out)
{
    const struct hitop_cost *cost = prices->cost;
    const struct hitop_coll_type *type = choice->algorithm.type;
    const struct hitop_coll_args args = choice_coll_args(call, choice, 0);
    size_t share;

    if (type->turns == 0 || call->size < 2 || call->starts || cost->eager || cost->local ||
        hitop_coll_check(type, &args, NULL) != HITOP_OK || (share = share_of(call, choice)) == 0) {
        return 0;
    }
    out->stage = slowest_link(call->size, share, prices);
    out->seconds = out->least = out->stage * type->turns * (call->size - 1);
    return !isnan(out->stage);
}
