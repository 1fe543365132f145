/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_PRICES_H
#define SCHED_PRICES_H

/*
 * sched_prices.h - the prices of messages, each computed once for a class of pairs and a size.
 *
 * Ranks with the same innermost set and the same kind (hitop/cost.h) form a group. All prices
 * between two groups are equal, so a table holds one entry for two groups and a size. A plan with
 * thousands of messages has few such entries. A cost without sets and kinds has no groups: its
 * prices are computed for each message.
 */

#include "hitop/cost.h"

/* All prices of a message. */
struct sched_price {
    double p2p, occupancy;
    double reception; /* 0 without ports of receivers */
    double latency;   /* p2p of an empty message; 0 if no trunk is crossed */
    double handshake; /* 0 if no trunk is crossed */
    int is_eager;     /* the message starts without waiting for its receive */
    int ncrossings;   /* of the trunks that it crosses */
    size_t first;     /* the first of them in sched_prices.crossings */
};

struct sched_price_entry {
    size_t bytes;
    unsigned pair; /* 1 + sender's group * number of groups + receiver's; 0: empty */
    struct sched_price price;
};

enum { SCHED_BOUNDARIES = 8 };

struct sched_prices {
    const struct hitop_cost *cost;
    unsigned *group; /* of each rank, from 0 on; NULL: there are none */
    unsigned ngroups;
    struct sched_price_entry *entries; /* a hash table of `room` entries; a power of two */
    size_t count, room;
    struct hitop_crossing *crossings;
    size_t ncrossings, crossings_room;
    struct sched_price single; /* without groups: the last price */
    /* Neighbouring ranks of different sets at the top, whose links are usually the slowest. */
    int boundary[SCHED_BOUNDARIES];
    int nboundary;
    int out_of_memory; /* 1: prices are not valid */
};

/* Prices between the first `size` ranks of a cost. Release with hitop_sched_prices_fini(). */
enum hitop_status hitop_sched_prices_init(struct sched_prices *prices,
                                          const struct hitop_cost *cost, int size,
                                          struct hitop_diag *diag);
void hitop_sched_prices_fini(struct sched_prices *prices);

/*
 * Seconds for which sender and receiver are busy with a message at the same time, where its sender
 * is busy for `occupancy` seconds. Prices are sums with rounding errors: less than 1e-9 of the time
 * counts as none.
 */
static inline double sched_price_overlap(const struct sched_price *price, double occupancy)
{
    const double overlap = occupancy + price->reception - price->p2p;

    return overlap > 1e-9 * price->p2p ? overlap : 0;
}

/* Seconds for which the bytes of a message move, or its handshake lasts: all but its latency. */
static inline double sched_price_moving(const struct sched_price *price)
{
    return price->p2p > price->latency ? price->p2p - price->latency : 0;
}

/* The prices of a message; valid until the next call. */
const struct sched_price *hitop_sched_price(struct sched_prices *prices, int from, int to,
                                            size_t bytes);

#endif /* SCHED_PRICES_H */
