/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COST_H
#define HITOP_COST_H

/**
 * @file cost.h
 * @brief Times of messages, as trees and predictions use them.
 *
 * A model is a cost by hitop_model_cost(); tests and the runtime have their own. The functions are
 * pure: equal arguments give equal times on all ranks.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Use of a trunk by a message. Messages between different ranks share a trunk. */
struct hitop_crossing {
    int trunk;
    double seconds; /**< duration for which a single message occupies all of the trunk */
};

/** Borrowed by each call; the creator owns @p self. */
struct hitop_cost {
    const void *self;

    /** For ranks 0..nranks-1. */
    int nranks;

    /** Seconds from the start of a send of @p bytes by @p from until @p to has all of them. */
    double (*p2p)(const void *self, int from, int to, size_t bytes);

    /** Seconds after which @p from can start the next send; at most p2p(). */
    double (*occupancy)(const void *self, int from, int to, size_t bytes);

    /**
     * Optional (NULL: a receiver takes any number of concurrent messages). Seconds at the end of
     * p2p() during which that message occupies the receive port of @p to; at most p2p().
     */
    double (*reception)(const void *self, int from, int to, size_t bytes);

    /**
     * Optional (NULL: each send waits for its receiver, and occupies its sender for occupancy()).
     * Largest eager message from @p from to @p to. A longer one waits for its receiver (rendezvous)
     * and occupies a sender that sends one message after another until its arrival.
     */
    size_t (*eager)(const void *self, int from, int to);

    /** Optional (NULL: no time). Seconds in which @p rank copies or combines @p bytes. */
    double (*local)(const void *self, int rank, size_t bytes);

    /*
     * Symmetries, with which tree builders and predictions need fewer calls. The times between two
     * ranks depend only on the smallest set that contains both, the kind of the sender and the kind
     * of the receiver; crossings depend on the smallest set around each of them, and on both kinds.
     * Without sets and kinds there are no symmetries: all ranks are one set, and each has a
     * different kind.
     */

    /**
     * Optional (NULL: all ranks are one set). Sets of ranks within sets of ranks, such as hosts,
     * racks and sites, have numbers 0..nsets-1: each rank alone has its own number, a larger set a
     * higher one than the sets in it, and all ranks together the highest. Returns the smallest set
     * that contains @p set and more, or -1 for the outermost one.
     */
    int (*enclosing)(const void *self, int set);
    int nsets; /**< larger than nranks with enclosing() */

    /** Optional (NULL: with enclosing(), all are alike). An arbitrary number of the kind of @p
     * rank.
     */
    int (*kind)(const void *self, int rank);

    /** 1: between the same two ranks a larger message never takes less time. 0: it may. */
    int grows;

    /**
     * Optional (NULL: messages share only ports). Trunks 0..ntrunks-1, of which a message
     * crosses at most max_crossings: writes them to @p out and returns their number. A message of t
     * seconds occupies a trunk with room for k such messages for t / k. The two directions of a
     * cable are two trunks.
     */
    int (*crossings)(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out);
    int ntrunks, max_crossings;

    /**
     * Optional (NULL: none). Seconds of p2p() that pass before the bytes begin to move over trunks:
     * the handshake of a long message with its receiver, at most p2p(bytes) - p2p(0).
     */
    double (*handshake)(const void *self, int from, int to, size_t bytes);
};

/** How messages occupy their two ends. */
enum hitop_ports {
    HITOP_PORTS_MODEL,  /**< as the cost says */
    HITOP_PORTS_SENDER, /**< the sender, as the cost says; receivers take any number concurrently */
    HITOP_PORTS_BOTH    /**< both, for all of p2p() */
};

/** The same times with another rule. */
static inline struct hitop_cost hitop_cost_ports(struct hitop_cost cost, enum hitop_ports ports)
{
    if (ports == HITOP_PORTS_BOTH) {
        cost.occupancy = cost.p2p;
    }
    if (ports != HITOP_PORTS_MODEL) {
        cost.reception = ports == HITOP_PORTS_BOTH ? cost.p2p : NULL;
    }
    return cost;
}

HITOP_END_DECLS

#endif /* HITOP_COST_H */
