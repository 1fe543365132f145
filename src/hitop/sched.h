/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SCHED_H
#define HITOP_SCHED_H

/**
 * @file sched.h
 * @brief What one rank does during a collective, as plain data.
 *
 * A schedule is a list of steps. A fence ends a phase. When a rank enters a phase it posts all of
 * its receives; its sends, copies and reductions then follow one after another in the order of the
 * schedule, a send when the one before has left; the fence waits until all of them are complete. So
 * a rank receives and sends at the same time, but has one port to send through, and what a phase
 * receives may be used after its fence only. The same schedule is executed over MPI and priced by a
 * model, so the prediction is for the steps that run.
 */

#include "hitop/cost.h"

HITOP_BEGIN_DECLS

/** Memory of a rank. Offsets count packed bytes, whatever the memory looks like to the user. */
enum hitop_buffer {
    HITOP_BUFFER_SEND, /**< what the rank brings; never written */
    HITOP_BUFFER_RECV, /**< what it takes away; of a broadcast the message, also at the root */
    HITOP_BUFFER_WORK, /**< hitop_sched_work() bytes of the schedule's own */
    HITOP_NBUFFERS
};

/** A stretch of memory. */
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
    HITOP_STEP_REDUCE, /**< span = source op span, as MPI_Reduce_local: the source stands left */
    HITOP_STEP_FENCE
};

struct hitop_step {
    enum hitop_step_kind kind;
    int peer;                 /**< other rank of a send or a receive */
    int delivers;             /**< 1: a send by hitop_sched_deliver() */
    struct hitop_span span;   /**< read by a send, written by all others */
    enum hitop_buffer source; /**< of a copy or a reduction; as many bytes as the span has */
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
 * A send to a rank that passes nothing of it on, so that it does not matter which of several comes
 * first: those that follow each other are under way at the same time, where hitop_sched_send()
 * waits for what went before.
 */
HITOP_API void hitop_sched_deliver(struct hitop_sched *sched, int to, struct hitop_span span);
HITOP_API void hitop_sched_recv(struct hitop_sched *sched, int from, struct hitop_span span);

/** Copy @p source to @p to, which is as long. Nothing is appended for no bytes. */
HITOP_API void hitop_sched_copy(struct hitop_sched *sched, struct hitop_span source,
                                struct hitop_span to);

/** Combine: @p to becomes @p source op @p to. Nothing is appended for no bytes. */
HITOP_API void hitop_sched_reduce(struct hitop_sched *sched, struct hitop_span source,
                                  struct hitop_span to);
HITOP_API void hitop_sched_fence(struct hitop_sched *sched);

/** Give up: hitop_sched_status() reports @p status from now on, and nothing is appended. */
HITOP_API void hitop_sched_fail(struct hitop_sched *sched, enum hitop_status status);
HITOP_API enum hitop_status hitop_sched_status(const struct hitop_sched *sched);

/** The steps; lent until the next append or hitop_sched_free(). */
HITOP_API const struct hitop_step *hitop_sched_steps(const struct hitop_sched *sched,
                                                     size_t *count);

/** Bytes of HITOP_BUFFER_WORK that the steps use. */
HITOP_API size_t hitop_sched_work(const struct hitop_sched *sched);

/**
 * Predict when each rank completes its schedule, all starting at time 0.
 *
 * All happens in the order of time, of events at one time that of the lower rank first. A send
 * starts when its phase is entered, the step before it has left the port and the receiver has
 * entered the phase of the matching receive. It keeps the port for cost->occupancy() seconds; the
 * bytes are there cost->p2p() seconds after it started. With cost->eager() short messages do not
 * wait for their receiver, and long ones keep the port for all of cost->p2p(), unless
 * hitop_sched_deliver() sends them. A copy or a reduction takes the port for cost->local() seconds.
 * A phase ends when the port is free and all bytes are there.
 *
 * With cost->reception() a rank receives through a port, too, but not through the one that it sends
 * through: the last cost->reception() seconds of a message must have it for themselves, and the
 * message that needs it first gets it first. If it is late for that, so are its bytes; and where
 * occupancy and reception come to more than p2p(), that is where both ends are busy at the same
 * time for a while, its sender is kept until they were. A short message whose sender is not kept,
 * and which comes before its receive, needs the port when its receiver enters that phase.
 *
 * With cost->crossings() messages share trunks evenly: of n messages on a trunk each is served at 1
 * / n of its speed while their bytes move, which they do from their start on or, where the receiver
 * is busy for as long, from when they have its port; after cost->handshake() seconds, if they need
 * them. A message arrives no sooner than p2p(0) seconds after the last of its trunks has served it;
 * a sender or receiver that is busy with it stays busy until then. Trunks are independent:
 * bandwidth that a message does not use because of a narrower trunk is not given to others.
 *
 * Takes O(n log n) time for n steps, and memory for each step, each rank and each trunk.
 *
 * @param finish  receives @p size completion times in seconds
 * @retval HITOP_ERR_INVALID  the schedules deadlock, a message is not received, its two ends disagree on its
 *                            length, a schedule does not end with a fence, or @p cost prices fewer ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sched_predict(struct hitop_sched *const *scheds, int size, const struct hitop_cost *cost,
                    double *finish, struct hitop_diag *diag);

/** What happened in a prediction: a message, or a copy or a reduction of one rank. */
struct hitop_activity {
    enum hitop_step_kind kind; /**< HITOP_STEP_SEND for a message */
    int from, to;              /**< equal where it is not a message */
    size_t bytes;
    double begin; /**< when it started */
    double sent;  /**< when it set its sender free */
    double
        reached; /**< from when on it took the port of its receiver; its end where there is none */
    double end;  /**< when all bytes were there */
};

typedef void hitop_sched_note(void *self, const struct hitop_activity *activity);

/**
 * hitop_sched_predict(), and tell everything that happens.
 *
 * @param note  is called with @p self for each activity, in the order in which their ends become
 *        known; what it is given is lent for the call
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sched_trace(struct hitop_sched *const *scheds, int size, const struct hitop_cost *cost,
                  double *finish, hitop_sched_note *note, void *self, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SCHED_H */
