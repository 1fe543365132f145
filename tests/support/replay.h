/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPLAY_H
#define REPLAY_H

/* replay.h - run the schedules of all ranks in one process, with data. */

#include "hitop/sched.h"

/* How a replayed send completes. */
enum hitop_send_mode {
    HITOP_SEND_BUFFERED,   /* at once, whatever the receiver does (MPI's eager messages) */
    HITOP_SEND_SYNCHRONOUS /* only with its matching receive (MPI's large messages) */
};

/* Memory of one rank in a replay; that of HITOP_BUFFER_WORK is made there. */
struct hitop_replay_memory {
    const unsigned char *send; /* NULL where the operation brings nothing */
    size_t send_bytes;
    unsigned char *recv;
    size_t recv_bytes;
};

/* What a reduction does. */
struct hitop_replay_op {
    void (*combine)(void *self, const unsigned char *source, unsigned char *inout, size_t bytes);
    void *self;
};

/*
 * Run `size` schedules in this process on `memory` (one per rank) under MPI's matching rules. Every
 * schedule must end with a fence.
 *
 * op  NULL where nothing is reduced
 *
 * HITOP_ERR_INVALID  the schedules deadlock, a message is not received, its ends disagree on its
 * length, a
 *                    step leaves its memory, writes the send buffer or reduces without an op, or
 *                    bytes that a phase receives are used by another step of that phase
 */
enum hitop_status hitop_sched_replay(struct hitop_sched *const *scheds, int size,
                                     enum hitop_send_mode mode,
                                     const struct hitop_replay_memory *memory,
                                     const struct hitop_replay_op *op, struct hitop_diag *diag);

#endif /* REPLAY_H */
