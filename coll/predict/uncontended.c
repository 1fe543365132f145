/* SPDX-License-Identifier: BSD-3-Clause */
/* uncontended.c - the times of sched_simulate.c without other messages. */
#include <config.h>

#include "coll/predict/uncontended.h"

/*
 * A trunk can be slower than the price says: then the message arrives later. A message that is not
 * late gets the port of its receiver after it has left its trunks. A sender that is busy longer
 * than the latency, or together with the receiver, continues after that, too.
 */
static void cross(const struct sched_prices *prices, const struct sched_price *price,
                  struct uncontended *m)
{
    const struct hitop_crossing *c = prices->crossings + price->first;
    const double moving = sched_price_moving(price);
    double leaves, slowed;

    m->first = price->first;
    m->ncrossings = price->ncrossings;
    m->enters = leaves = price->handshake < moving ? price->handshake : moving;
    m->is_late = prices->cost->reception && m->reception >= moving;
    for (int i = 0; i < m->ncrossings; i++) {
        leaves = later(leaves, m->enters + c[i].seconds);
    }
    slowed = later(0, leaves - moving);
    if (m->is_late) {
        m->reception += slowed;
        m->overlap = m->overlap > 0 ? later(m->overlap + slowed, leaves) : 0;
        return;
    }
    m->reach = later(m->reach + slowed, leaves);
    if (m->overlap <= 0 && m->occupancy > price->latency) {
        m->occupancy = later(m->occupancy + slowed, leaves);
    }
}

struct uncontended hitop_uncontended(const struct sched_prices *prices,
                                     const struct sched_price *price)
{
    struct uncontended m = {.reach = price->p2p, .occupancy = price->occupancy};

    if (prices->cost->reception) {
        m.reception = price->reception;
        m.reach = price->p2p - m.reception;
        m.overlap = sched_price_overlap(price, m.occupancy);
    }
    if (price->ncrossings > 0) {
        cross(prices, price, &m);
    }
    return m;
}
