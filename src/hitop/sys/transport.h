/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_TRANSPORT_H
#define HITOP_SYS_TRANSPORT_H

/**
 * @file sys/transport.h
 * @brief Interface between a measurement and a network.
 *
 * MPI is one transport; another one simulates all ranks in one process. Two ranks measure a link:
 * the first one calls exchange() any number of times, then release(); the second one calls
 * answer() once, which returns after the release. Thus only one side decides. With three ranks the
 * other two call answer().
 */

#include "hitop/experiment.h"

HITOP_BEGIN_DECLS

/** Rank of a process that simulates all ranks; it never calls answer(). */
#define HITOP_EVERY_RANK (-1)

struct hitop_transport {
    void *self;
    const char *name; /**< "mpi", "simulated" */
    int rank;         /**< of this process, or HITOP_EVERY_RANK */
    int nranks;
    double clock_step; /**< smallest step of the clock in seconds; 0 for an exact clock */
    size_t max_bytes;  /**< largest message */
    int max_batch;     /**< largest number of repetitions of a sample; 0: no limit */
    double pause;      /**< approximate seconds between two samples of a series */

    /** Seconds since a fixed moment in the past. */
    double (*now)(void *self);

    /**
     * Take a series of samples, at @p series->from (this process). All its ranks have arrived
     * before the clock starts.
     *
     * @param seconds  receives series->count times, see enum hitop_experiment; those of a call or a
     *                 gap may be negative with a coarse clock
     */
    enum hitop_status (*exchange)(void *self, const struct hitop_series *series, double *seconds,
                                  struct hitop_diag *diag);

    /** End answer() of @p to, at @p from (this process); also after a failed exchange(). */
    enum hitop_status (*release)(void *self, int from, int to, struct hitop_diag *diag);

    /** Serve the series that @p from starts with @p to (this process) until released. */
    enum hitop_status (*answer)(void *self, int from, int to, struct hitop_diag *diag);

    /**
     * Optional: at @p from (this process), whether a nonblocking send of @p bytes to @p to
     * completes within @p seconds without a posted receive. The message is received afterwards. May
     * be called like exchange(), before release().
     */
    enum hitop_status (*completes)(void *self, int from, int to, size_t bytes, double seconds,
                                   int *yes, struct hitop_diag *diag);

    /** Optional: from now on @p nlinks links are measured concurrently. */
    void (*concurrent)(void *self, int nlinks);

    /**
     * All processes call it; each of the @p n values becomes the largest one of all processes. It
     * returns after all have called. Waiting takes little processor time and sends no messages.
     */
    enum hitop_status (*agree)(void *self, double *values, int n, struct hitop_diag *diag);

    /**
     * All processes call it: @p take is called at rank 0 for the data of each process, in the order
     * of ranks; its failure is the result there. Waiting takes little processor time.
     */
    enum hitop_status (*gather)(void *self, const void *data, size_t length,
                                enum hitop_status (*take)(void *user, const void *data,
                                                          size_t length, struct hitop_diag *diag),
                                void *user, struct hitop_diag *diag);

    /** All processes call it: @p length bytes at @p data move from @p from to rank 0. */
    enum hitop_status (*collect)(void *self, int from, void *data, size_t length,
                                 struct hitop_diag *diag);

    /**
     * All processes call it: all receive @p length bytes at @p data of rank 0. Waiting takes little
     * processor time.
     */
    enum hitop_status (*share)(void *self, void *data, size_t length, struct hitop_diag *diag);

    /** Release the transport. */
    void (*close)(void *self);
};

HITOP_END_DECLS

#endif /* HITOP_SYS_TRANSPORT_H */
