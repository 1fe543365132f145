/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SCHED_H
#define HITOP_SCHED_H

/**
 * @file sched.h
 * @brief The steps of one rank in a collective, as plain data.
 *
 * A schedule is a list of steps. A fence ends a phase. When a rank enters a phase it posts all of
 * its receives; its sends, copies and reductions then follow one after another in the order of the
 * schedule, each after the previous one has left the port; the fence waits until all of them are
 * complete. Thus a rank receives and sends concurrently, but has one send port, and data received
 * in a phase may be used only after its fence. MPI executes the schedule that a model predicts.
 */

#include "hitop/cost.h"

HITOP_BEGIN_DECLS

/** Memory of a rank. Offsets are in packed bytes, independent of the layout of user memory. */
enum hitop_buffer {
    HITOP_BUFFER_SEND, /**< input of the rank; never written */
    HITOP_BUFFER_RECV, /**< its output; the message of a broadcast, also at the root */
    HITOP_BUFFER_WORK, /**< hitop_sched_work() bytes of temporary memory */
    HITOP_NBUFFERS
};

/** A range of memory. */
struct hitop_span {
    enum hitop_buffer buffer;
    size_t offset, bytes;
};

static inline struct hitop_span hitop_span_send(size_t offset, size_t bytes)
{
    const struct hitop_span span = {HITOP_BUFFER_SEND, offset, bytes};

    return span;
}

static inline struct hitop_span hitop_span_recv(size_t offset, size_t bytes)
{
    const struct hitop_span span = {HITOP_BUFFER_RECV, offset, bytes};

    return span;
}

static inline struct hitop_span hitop_span_work(size_t offset, size_t bytes)
{
    const struct hitop_span span = {HITOP_BUFFER_WORK, offset, bytes};

    return span;
}

enum hitop_step_kind {
    HITOP_STEP_SEND,
    HITOP_STEP_RECV,
    HITOP_STEP_COPY,   /**< source to span */
    HITOP_STEP_REDUCE, /**< span = source op span, as MPI_Reduce_local */
    HITOP_STEP_FENCE
};

struct hitop_step {
    enum hitop_step_kind kind;
    int peer;                 /**< other rank of a send or a receive */
    int delivers;             /**< 1: a send by hitop_sched_deliver() */
    struct hitop_span span;   /**< read by a send, written by other steps */
    enum hitop_buffer source; /**< of a copy or a reduction; of the same length as the span */
    size_t source_offset;
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
HITOP_API void hitop_sched_send(struct hitop_sched *sched, int to, struct hitop_span span);

/**
 * A send to a rank that does not forward the data, so that the order of several such sends does not
 * matter: consecutive ones are pending concurrently, while hitop_sched_send() waits for the
 * previous step.
 */
HITOP_API void hitop_sched_deliver(struct hitop_sched *sched, int to, struct hitop_span span);
HITOP_API void hitop_sched_recv(struct hitop_sched *sched, int from, struct hitop_span span);

/** Copy @p source to @p to, of the same length. Zero bytes append nothing. */
HITOP_API void hitop_sched_copy(struct hitop_sched *sched, struct hitop_span source,
                                struct hitop_span to);

/** Combine: @p to becomes @p source op @p to. Zero bytes append nothing. */
HITOP_API void hitop_sched_reduce(struct hitop_sched *sched, struct hitop_span source,
                                  struct hitop_span to);
HITOP_API void hitop_sched_fence(struct hitop_sched *sched);

/** Give up: hitop_sched_status() reports @p status from now on, and nothing is appended. */
HITOP_API void hitop_sched_fail(struct hitop_sched *sched, enum hitop_status status);
HITOP_API enum hitop_status hitop_sched_status(const struct hitop_sched *sched);

/** The steps; valid until the next append or hitop_sched_free(). */
HITOP_API const struct hitop_step *hitop_sched_steps(const struct hitop_sched *sched,
                                                     size_t *count);

/** Bytes of HITOP_BUFFER_WORK that the steps use. */
HITOP_API size_t hitop_sched_work(const struct hitop_sched *sched);

/**
 * Predict when each rank completes its schedule; all start at time 0.
 *
 * Events are processed by time, simultaneous ones by rank. A send starts when the rank has entered
 * its phase, the previous step has left the port and the receiver has entered the phase of the
 * matching receive. It occupies the port for cost->occupancy() seconds; the bytes arrive
 * cost->p2p() seconds after its start. With cost->eager() short messages do not wait for their
 * receiver, and long ones occupy the port for all of cost->p2p(), unless hitop_sched_deliver()
 * sends them. A copy or a reduction occupies the port for cost->local() seconds. A phase ends when
 * the port is free and all bytes have arrived.
 *
 * With cost->reception() a rank also has a receive port: during the last cost->reception() seconds
 * of a message it serves no other message, and messages get it in the order in which they need it.
 * A message that waits for the port arrives later by that time; if occupancy and reception together
 * exceed p2p(), so that both ends are busy at the same time, its sender stays occupied, too. An
 * eager message that arrives before its receive needs the port when its receiver enters that phase.
 *
 * With cost->crossings() messages share trunks evenly: each of n messages on a trunk has 1 / n of
 * its speed while its bytes move. The bytes move from the start of the message on, or from the
 * moment when it has the port of a receiver that is occupied for all of it, and after
 * cost->handshake() seconds. A message arrives at least p2p(0) seconds after the last of its trunks
 * has served it; its sender and receiver stay occupied until then. Trunks are independent:
 * bandwidth that a message does not use because of a slower trunk is not given to others.
 *
 * Takes O(n log n) time for n steps, and memory for each step, each rank and each trunk.
 *
 * @param finish  receives @p size completion times in seconds
 * @retval HITOP_ERR_INVALID  the schedules deadlock, a message is not received, its two ends
 * disagree on its length, a schedule does not end with a fence, or @p cost is of fewer ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sched_predict(struct hitop_sched *const *scheds, int size, const struct hitop_cost *cost,
                    double *finish, struct hitop_diag *diag);

/** An event of a prediction: a message, or a copy or a reduction of one rank. Times in seconds. */
struct hitop_activity {
    enum hitop_step_kind kind; /**< HITOP_STEP_SEND for a message */
    int from, to;              /**< equal for a copy or a reduction */
    size_t bytes;
    double begin;   /**< start */
    double sent;    /**< end of the occupation of the sender */
    double reached; /**< start of the occupation of the receiver's port; `end` without a port */
    double end;     /**< arrival of all bytes */
};

typedef void hitop_sched_note(void *self, const struct hitop_activity *activity);

/**
 * As hitop_sched_predict(), and report all events.
 *
 * @param note  called with @p self for each activity, in the order in which their ends become
 *        known; the activity is valid during the call
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sched_trace(struct hitop_sched *const *scheds, int size, const struct hitop_cost *cost,
                  double *finish, hitop_sched_note *note, void *self, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SCHED_H */
