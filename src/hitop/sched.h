/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SCHED_H
#define HITOP_SCHED_H

/**
 * @file sched.h
 * @brief What one rank does during a collective, as plain data.
 *
 * A schedule is a list of steps. A fence ends a phase. When a rank enters a phase it posts all of
 * its receives; its sends then leave one after another in the order of the schedule, each when the
 * one before has left; the fence waits until all of them are complete. So a rank receives and sends
 * at the same time, but has one port to send through. The same schedule is executed over MPI,
 * replayed for all ranks in one process by the tests, and costed by a model; so what is predicted
 * is what is run.
 */

#include "hitop/cost.h"

HITOP_BEGIN_DECLS

enum hitop_step_kind { HITOP_STEP_SEND, HITOP_STEP_RECV, HITOP_STEP_FENCE };

struct hitop_step {
    enum hitop_step_kind kind;
    int peer;      /**< other rank; unused for a fence */
    size_t offset; /**< first byte of the user buffer */
    size_t bytes;
};

/** Opaque. Release with hitop_sched_free(). */
struct hitop_sched;

/** NULL when out of memory. */
HITOP_API struct hitop_sched *hitop_sched_new(void);

/** Release a schedule. NULL is allowed. */
HITOP_API void hitop_sched_free(struct hitop_sched *sched);

/*
 * Appending is sticky: after a failed allocation further calls do nothing, and hitop_sched_status()
 * reports HITOP_ERR_NOMEM. Algorithms append without checking and return the status at the end.
 */
HITOP_API void hitop_sched_send(struct hitop_sched *sched, int to, size_t offset, size_t bytes);
HITOP_API void hitop_sched_recv(struct hitop_sched *sched, int from, size_t offset, size_t bytes);
HITOP_API void hitop_sched_fence(struct hitop_sched *sched);
HITOP_API enum hitop_status hitop_sched_status(const struct hitop_sched *sched);

/** The steps; lent until the next append or hitop_sched_free(). */
HITOP_API const struct hitop_step *hitop_sched_steps(const struct hitop_sched *sched,
                                                     size_t *count);

/** How a replayed send completes. */
enum hitop_send_mode {
    HITOP_SEND_BUFFERED,   /**< at once, whatever the receiver does (MPI's eager messages) */
    HITOP_SEND_SYNCHRONOUS /**< only with its matching receive (MPI's large messages) */
};

/**
 * Run @p size schedules in this process on @p buffers (one per rank) under MPI's matching rules.
 * Every schedule must end with a fence.
 *
 * @retval HITOP_ERR_INVALID  the schedules deadlock, leave a message unreceived, disagree on a
 *                            size, or receive into bytes that the same phase uses otherwise
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_sched_replay(struct hitop_sched *const *scheds,
                                                                int size, enum hitop_send_mode mode,
                                                                unsigned char *const *buffers,
                                                                struct hitop_diag *diag);

/**
 * Predict when each rank completes its schedule, all starting at time 0.
 *
 * A send starts when its phase is entered, the send before it has left the port and the receiver
 * has entered the phase of the matching receive. It keeps the port for cost->occupancy() seconds;
 * the bytes are there cost->p2p() seconds after it started. A phase ends when the port is free and
 * all bytes are there.
 *
 * @param finish  receives @p size completion times in seconds
 * @retval HITOP_ERR_INVALID  as for hitop_sched_replay() but for the bytes, or @p cost prices fewer
 *                            ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sched_predict(struct hitop_sched *const *scheds, int size, const struct hitop_cost *cost,
                    double *finish, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SCHED_H */
