/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COST_H
#define HITOP_COST_H

/**
 * @file cost.h
 * @brief What trees and predictions need to know of a machine: what messages take.
 *
 * A model object offers itself as a cost (hitop_model_cost()), tests and the runtime supply their
 * own. Costs are pure: the same arguments give the same time on every rank.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** What a message takes of a trunk: a way that it shares with messages between other ranks. */
struct hitop_crossing {
    int trunk;
    double seconds; /**< for which it takes all of the trunk, if alone */
};

/** Lent to every call; the creator owns @p self. */
struct hitop_cost {
    const void *self;

    /** Ranks 0..nranks-1 have a price. */
    int nranks;

    /** Seconds from the start of a send of @p bytes by @p from until @p to has all of them. */
    double (*p2p)(const void *self, int from, int to, size_t bytes);

    /** Seconds during which that send keeps @p from from starting the next one; at most p2p(). */
    double (*occupancy)(const void *self, int from, int to, size_t bytes);

    /**
     * Optional (NULL: a receiver takes any number of messages at once). Seconds at the end of p2p()
     * during which that message takes the port through which @p to receives; at most p2p().
     */
    double (*reception)(const void *self, int from, int to, size_t bytes);

    /**
     * Optional (NULL: every send waits for its receiver, and keeps its sender for occupancy()).
     * Largest message from @p from to @p to that leaves at once, whether it is expected or not. A
     * longer one waits for its receiver (MPI's rendezvous) and keeps a sender that sends one
     * message after another until it has arrived.
     */
    size_t (*eager)(const void *self, int from, int to);

    /** Optional (NULL: no time). Seconds in which @p rank copies or combines @p bytes. */
    double (*local)(const void *self, int rank, size_t bytes);

    /*
     * What prices depend on, so that builders of trees need not ask for all of them. A price
     * between two ranks depends on nothing but the smallest set that holds both, the kind of the
     * sender and the kind of the receiver. Without sets and kinds nothing is known: all ranks are
     * one set, and each is of a kind of its own.
     */

    /**
     * Optional (NULL: all ranks are one set). Sets of ranks within sets of ranks, such as hosts,
     * racks and sites, have numbers 0..nsets-1: each rank alone has its own number, a larger set a
     * higher one than the sets in it, and all ranks together the highest. Returns the smallest set
     * that holds @p set and more, or -1 for the outermost one.
     */
    int (*around)(const void *self, int set);
    int nsets; /**< more than nranks where there is around() */

    /**
     * Optional (NULL: with around(), all are alike). A number for the kind of @p rank, whatever it
     * is.
     */
    int (*kind)(const void *self, int rank);

    /** 1: between the same two ranks a larger message never takes less. 0: it may. */
    int grows;

    /**
     * Optional (NULL: messages share nothing but ports). Trunks 0..ntrunks-1, of which a message
     * crosses at most max_crossings: writes them to @p out and returns their number. A message that
     * would fill a trunk for t seconds takes it for t / k where k of its kind have room. The two
     * directions of a cable are two trunks.
     */
    int (*crossings)(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out);
    int ntrunks, max_crossings;

    /**
     * Optional (NULL: none). Seconds of p2p() that pass before the bytes begin to move over trunks:
     * the handshake of a long message with its receiver, at most p2p(bytes) - p2p(0).
     */
    double (*handshake)(const void *self, int from, int to, size_t bytes);
};

/** What keeps the two ends of a message busy. */
enum hitop_ports {
    HITOP_PORTS_MODEL,  /**< what the cost says */
    HITOP_PORTS_SENDER, /**< the sender, as the cost says; its receiver takes any number at once */
    HITOP_PORTS_BOTH    /**< both of them, for all of p2p() */
};

/** The same prices under another rule. */
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
