/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_TRANSPORT_H
#define HITOP_SYS_TRANSPORT_H

/**
 * @file sys/transport.h
 * @brief What a measurement needs of a network: a small table of functions.
 *
 * MPI is one transport; a simulated one plays all ranks in one process. A link is measured by two
 * ranks: the first one calls exchange() as often as it likes, then release(); the second one calls
 * answer() once, which returns when it is released. So only one side decides. With three ranks the
 * other two call answer().
 */

#include "hitop/experiment.h"

HITOP_BEGIN_DECLS

/** Rank of a process that plays every rank; it never calls answer(). */
#define HITOP_EVERY_RANK (-1)

struct hitop_transport {
    void *self;
    const char *name; /**< "mpi", "simulated" */
    int rank;         /**< of this process, or HITOP_EVERY_RANK */
    int nranks;
    double clock_step; /**< smallest step of the clock in seconds; 0 for an exact clock */
    size_t max_bytes;  /**< largest message */
    int max_batch;     /**< most repetitions between two readings of the clock; 0: any number */
    double pause;      /**< seconds, roughly, between two samples of a series that are not timed */

    /** Seconds since some moment in the past. */
    double (*now)(void *self);

    /**
     * Take a series of samples, at @p series->from (this process). All its ranks have arrived
     * before the clock starts.
     *
     * @param seconds  receives series->count times, as enum hitop_experiment says; one of a call or a gap
     *                 may be negative where the clock is coarse
     */
    enum hitop_status (*exchange)(void *self, const struct hitop_series *series, double *seconds,
                                  struct hitop_diag *diag);

    /** End the part of @p to in the measurements of @p from (this process); also after exchange()
     * failed. */
    enum hitop_status (*release)(void *self, int from, int to, struct hitop_diag *diag);

    /** Serve the series that @p from starts with @p to (this process) until released. */
    enum hitop_status (*answer)(void *self, int from, int to, struct hitop_diag *diag);

    /**
     * Optional: at @p from (this process), does a nonblocking send of @p bytes to @p to complete
     * within
     * @p seconds although no receive is posted? The message is received afterwards. May be called as often
     * as exchange(), between its calls and before release().
     */
    enum hitop_status (*completes)(void *self, int from, int to, size_t bytes, double seconds,
                                   int *yes, struct hitop_diag *diag);

    /** Optional: from now on @p nlinks links are measured at the same time. */
    void (*concurrent)(void *self, int nlinks);

    /**
     * All processes call it; each of the @p n values becomes the largest one of all processes. It
     * returns after all have called. Waiting takes little processor time and sends nothing.
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
