/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_replay.c - run the schedules of all ranks in one process with real bytes. */
#include <config.h>

#include "coll/schedule/sched_check.h"
#include "coll/schedule/sched_run.h"

#include <stdlib.h>
#include <string.h>

/* Work memory begins as these, which no test expects to see again. */
enum { POISON = 0xa5 };

struct replay {
    const struct matching *matching;
    const struct hitop_replay_memory *memory;
    const struct hitop_replay_op *op;
    unsigned char **work;   /* [size] */
    unsigned char **copies; /* [nmessages]: what was sent and not yet received */
};

static const unsigned char *readable(const struct replay *replay, int rank,
                                     enum hitop_buffer buffer, size_t offset)
{
    const struct hitop_replay_memory *m = &replay->memory[rank];
    const unsigned char *base = buffer == HITOP_BUFFER_SEND   ? m->send
                                : buffer == HITOP_BUFFER_RECV ? m->recv
                                                              : replay->work[rank];

    return base + offset;
}

static unsigned char *writable(const struct replay *replay, int rank, const struct hitop_span *span)
{
    unsigned char *base =
        span->buffer == HITOP_BUFFER_RECV ? replay->memory[rank].recv : replay->work[rank];

    return base + span->offset;
}

/* The bytes leave when they are sent: what the sender does to its buffer later must not show. */
static enum hitop_status send_bytes(void *self, size_t message, struct hitop_diag *diag)
{
    const struct replay *replay = self;
    const struct message *m = &replay->matching->messages[message];
    const struct hitop_span *span = &m->send->span;
    unsigned char *copy = malloc(span->bytes + 1);

    if (!copy) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
    }
    if (span->bytes > 0) {
        memcpy(copy, readable(replay, m->from, span->buffer, span->offset), span->bytes);
    }
    replay->copies[message] = copy;
    return HITOP_OK;
}

static void receive_bytes(void *self, size_t message)
{
    const struct replay *replay = self;
    const struct message *m = &replay->matching->messages[message];

    if (m->recv->span.bytes > 0) {
        memcpy(writable(replay, m->to, &m->recv->span), replay->copies[message],
               m->recv->span.bytes);
    }
    free(replay->copies[message]);
    replay->copies[message] = NULL;
}

static void move_bytes(void *self, int rank, const struct hitop_step *step)
{
    const struct replay *replay = self;
    const unsigned char *source = readable(replay, rank, step->source, step->source_offset);
    unsigned char *to = writable(replay, rank, &step->span);

    if (step->kind == HITOP_STEP_COPY) {
        memmove(to, source, step->span.bytes);
    } else {
        replay->op->combine(replay->op->self, source, to, step->span.bytes);
    }
}

static enum hitop_status make_work(struct replay *replay, struct hitop_sched *const *scheds,
                                   int size, struct hitop_diag *diag)
{
    replay->work = calloc((size_t)size, sizeof(*replay->work));
    replay->copies = calloc(replay->matching->nmessages + 1, sizeof(*replay->copies));
    for (int r = 0; replay->work && r < size; r++) {
        const size_t bytes = hitop_sched_work(scheds[r]) + 1;
        replay->work[r] = malloc(bytes);
        if (!replay->work[r]) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
        }
        memset(replay->work[r], POISON, bytes);
    }
    return replay->work && replay->copies
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
}

enum hitop_status hitop_sched_replay(struct hitop_sched *const *scheds, int size,
                                     enum hitop_send_mode mode,
                                     const struct hitop_replay_memory *memory,
                                     const struct hitop_replay_op *op, struct hitop_diag *diag)
{
    struct matching matching;
    struct replay replay = {.matching = &matching, .memory = memory, .op = op};
    const struct sched_visitor visitor = {
        .self = &replay, .send = send_bytes, .receive = receive_bytes, .local = move_bytes};
    enum hitop_status status = hitop_matching_init(&matching, scheds, size, diag);

    for (int r = 0; r < size && status == HITOP_OK; r++) {
        status = hitop_sched_check(scheds[r], r, &memory[r], op != NULL, diag);
    }
    if (status == HITOP_OK) {
        status = make_work(&replay, scheds, size, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_sched_run(scheds, size, &matching, mode, &visitor, diag);
    }
    for (size_t m = 0; replay.copies && m < matching.nmessages; m++) {
        free(replay.copies[m]);
    }
    for (int r = 0; replay.work && r < size; r++) {
        free(replay.work[r]);
    }
    free(replay.copies);
    free(replay.work);
    hitop_matching_fini(&matching);
    return status;
}
