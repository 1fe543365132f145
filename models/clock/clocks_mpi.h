/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCKS_MPI_H
#define CLOCKS_MPI_H

/**
 * @file clocks_mpi.h
 * @brief One time for all ranks of a communicator: that of its rank 0.
 *
 * Every rank learns a line from its clock to that of rank 0, along binomial trees: of one rank per
 * host, then on each host of the ranks whose clock is not that of the first one. Ranks that read
 * the same clock as the first rank of their host copy its line. All pairs of a tree take their
 * offsets in the same span of time, and the lines are chained in the end, so that many ranks need
 * little more time than two. If all ranks read the clock of rank 0, as on one host, no offsets over
 * a span are needed.
 *
 * @code
 * hitop_clock_defaults(&options);
 * status = hitop_common_clock_create(comm, NULL, &options, &clock, &diag);
 * ...
 * event = hitop_common_clock_now(clock);                        // comparable among ranks
 * ...
 * status = hitop_common_clock_check(clock, &residual, NULL, &diag);   // the error of the clock
 * hitop_common_clock_free(clock);
 * @endcode
 */

#include "models/clock/clock.h"

#include <mpi.h>

/** How clocks are compared; alike on all ranks. */
struct hitop_clock_options {
    int exchanges; /**< round trips for one offset; at least 1 */
    int moments;   /**< offsets for one line, at least 3 */
    double span;   /**< seconds over which they are spread, > 0 and at most 3600 */
};

/**
 * 50 offsets of 30 exchanges, spread over a second: good to 25 ns ten seconds later on a quiet
 * network.
 */
void hitop_clock_defaults(struct hitop_clock_options *options);

/** Where the line of a rank comes from. */
enum hitop_clock_source {
    HITOP_CLOCK_FIRST, /**< rank 0: its clock is the common time */
    /** MPI says that MPI_Wtime() is the same everywhere (MPI_WTIME_IS_GLOBAL) */
    HITOP_CLOCK_GLOBAL,
    HITOP_CLOCK_COPIED, /**< the clock is that of the first rank of the host */
    HITOP_CLOCK_LEARNT, /**< messages */
};

/** Opaque. Holds communicators of its own. */
struct hitop_common_clock;

/**
 * Compare the clocks of all ranks. Collective; works on a private duplicate of @p comm.
 *
 * @param clock  the clock of this rank; copied, its self is borrowed. NULL: MPI_Wtime() on all
 *               ranks. Some libraries count that from the start of each process, so that
 *               hitop_clock_monotonic() needs fewer messages.
 * @param out    to be freed collectively, before MPI_Finalize(); NULL on failure, on all ranks
 *               alike
 * @retval HITOP_ERR_INVALID  a clock goes back, stands still, or differs by more than half in speed
 *                            from that of rank 0
 */
HITOP_MUST_CHECK enum hitop_status
hitop_common_clock_create(MPI_Comm comm, const struct hitop_clock *clock,
                          const struct hitop_clock_options *options,
                          struct hitop_common_clock **out, struct hitop_diag *diag);

/** Release it; NULL is allowed. Collective. */
void hitop_common_clock_free(struct hitop_common_clock *clock);

/** What rank 0's clock shows now. */
double hitop_common_clock_now(const struct hitop_common_clock *clock);

/** The clock of this rank, as it is. */
const struct hitop_clock *hitop_common_clock_local(const struct hitop_common_clock *clock);

/** The line from the clock of this rank to that of rank 0; borrowed from @p clock. */
const struct hitop_clock_line *hitop_common_clock_line(const struct hitop_common_clock *clock);

enum hitop_clock_source hitop_common_clock_source(const struct hitop_common_clock *clock);

/** The private duplicate; measurements with this clock may use it. */
MPI_Comm hitop_common_clock_comm(const struct hitop_common_clock *clock);

/**
 * Find small differences between the clocks of processors. Collective.
 *
 * Each processor of a host has its own counter. Counters may differ by some 10 ns, and by more if a
 * virtual machine moves between processors. Messages are too slow to show this, so ranks use the
 * clock of the first rank of their host; but 10 ns are a twentieth of a call of 200 ns. These ranks
 * exchange some hundred stamps with the first rank through cache lines of shared memory, one rank
 * after the other, 30 to 100 us each, and add the difference to their line. Ranks without a
 * processor of their own, with exchanges of microseconds, keep their line.
 *
 * The result holds until processors are moved: call it about every 0.1 s. The call does nothing if
 * messages compare the clocks, and in simulations.
 */
HITOP_MUST_CHECK enum hitop_status hitop_common_clock_align(struct hitop_common_clock *clock,
                                                            struct hitop_diag *diag);

/**
 * Compare once more, and correct the lines. Collective.
 *
 * The error of the first line grows, because the speed of a quartz changes. The difference that
 * each rank finds now is another point of its line, which goes through the last 20 points; until
 * then the first line counts as points of its span. Measurements that take minutes should call this
 * about once a second. A call takes one offset for each level of the tree of hosts, and one for
 * each rank that does not read the clock of the first rank of its host; it does nothing if all
 * ranks read one clock.
 */
HITOP_MUST_CHECK enum hitop_status hitop_common_clock_renew(struct hitop_common_clock *clock,
                                                            struct hitop_diag *diag);

/**
 * Keep a clock right during long use: align it at most ten times a second and renew it once a
 * second, each for at most a twentieth of the time. To be called between measurements. Rank 0
 * decides what is due and broadcasts it. Collective.
 */
HITOP_MUST_CHECK enum hitop_status hitop_common_clock_tend(struct hitop_common_clock *clock,
                                                           struct hitop_diag *diag);

/**
 * Compare once more. Collective. Times that were taken with this clock are wrong by up to the
 * residual; if it exceeds a tenth of the smallest time, the times are not reliable.
 *
 * @param residual  receives, on all ranks alike, the largest difference from rank 0's clock that
 *                  any rank found in its common time
 * @param mine      receives that of this rank, with its sign; may be NULL
 */
HITOP_MUST_CHECK enum hitop_status hitop_common_clock_check(struct hitop_common_clock *clock,
                                                            double *residual, double *mine,
                                                            struct hitop_diag *diag);

#endif /* CLOCKS_MPI_H */
