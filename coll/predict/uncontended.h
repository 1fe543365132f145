/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UNCONTENDED_H
#define UNCONTENDED_H

/*
 * uncontended.h - a message that waits for no other message, as the simulation of coll/schedule
 * processes it. Its receiver has posted the receive. Seconds after its start.
 */

#include "coll/schedule/sched_prices.h"

struct uncontended {
    double reach;     /* it needs the port of its receiver */
    double reception; /* and occupies that port for so long */
    double occupancy; /* its sender can start the next message, where overlap is 0 */
    double overlap;   /* the part of reception during which its sender is busy, too */
    double enters;    /* its bytes enter trunks; after it has got the port if is_late */
    size_t first;     /* of its crossings in prices->crossings */
    int ncrossings;
    int is_late; /* its bytes move only once it has the port */
};

/* As fmax(), without a call; no time is NaN. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

struct uncontended hitop_uncontended(const struct sched_prices *prices,
                                     const struct sched_price *price);

#endif /* UNCONTENDED_H */
