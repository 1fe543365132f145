/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EAGER_H
#define EAGER_H

/**
 * @file eager.h
 * @brief The largest message of which a send completes while no receive is posted, to the byte.
 *
 * MPI libraries send small messages eagerly and large ones by rendezvous with the receiver: up to
 * some size a nonblocking send completes before a receive is posted, from there on it does not. A
 * program can test that with legal MPI calls, without a fit. The result is the limit up to which
 * sends are buffered; a library that buffers a message but moves it only when the receive is posted
 * shows that in the gap of trains, not here.
 */

#include "hitop/measure.h"

/** A test whether a send completes alone. */
struct hitop_eager_test {
    /** Does a send of @p bytes complete within @p seconds while no receive is posted? */
    enum hitop_status (*completes)(void *data, size_t bytes, double seconds, int *yes,
                                   struct hitop_diag *diag);
    void *data;
};

/** The limit between sizes whose sends complete alone and larger ones. */
struct hitop_eager {
    size_t bytes; /**< largest size of which they do; 0: at most the empty message */
    int is_max;   /**< 1: they do for all sizes that were asked for */
    int is_found; /**< 0: answers contradicted each other; bytes and is_max are invalid */
    int ntests;
    double window; /**< seconds that a send was given in the end */
};

/** Seconds that a send gets to complete alone: fifty empty round trips, at least 20 ms. */
double hitop_eager_window(double round_trip);

/**
 * Search by bisection; each size is decided by two of three votes. The size found must complete
 * five times out of five, and one byte more not once; else sends get twice the time, and the last
 * steps are repeated: four, then eight, and so on.
 *
 * @param max         largest size to ask for; at least 1
 * @param round_trip  seconds of an empty one; see hitop_eager_window()
 * @return what the test returns; contradictions are no failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_eager_search(const struct hitop_eager_test *test,
                                                      size_t max, double round_trip,
                                                      struct hitop_eager *out,
                                                      struct hitop_diag *diag);

/**
 * Find the threshold of each link, with sends from its first rank to its second. Links of one round
 * are tested at the same time. All processes call it with equal arguments.
 *
 * @param max  largest size to ask for; at least 1
 * @param out  [nlinks] thresholds; those that are found already are not searched; rank 0 receives
 *             the others
 * @retval HITOP_ERR_UNSUPPORTED  the transport cannot measure it
 * @retval HITOP_ERR_MPI          communication failed; any failure is one of all ranks
 */
HITOP_MUST_CHECK enum hitop_status hitop_measure_eager(const struct hitop_transport *transport,
                                                       const struct hitop_link *links, int nlinks,
                                                       size_t max, struct hitop_eager *out,
                                                       struct hitop_diag *diag);

#endif /* EAGER_H */
