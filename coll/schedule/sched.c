/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - a growing list of steps. */
#include <config.h>

#include "hitop/sched.h"

#include <stdint.h>
#include <stdlib.h>

struct hitop_sched {
    struct hitop_step *steps;
    size_t count;
    size_t capacity;
    size_t work;
    enum hitop_status status;
};

struct hitop_sched *hitop_sched_new(void)
{
    return calloc(1, sizeof(struct hitop_sched));
}

void hitop_sched_free(struct hitop_sched *sched)
{
    if (!sched) {
        return;
    }
    free(sched->steps);
    free(sched);
}

static void append(struct hitop_sched *sched, struct hitop_step step)
{
    if (sched->status != HITOP_OK) {
        return;
    }
    if (sched->count == sched->capacity) {
        const size_t capacity = sched->capacity ? 2 * sched->capacity : 8;
        struct hitop_step *steps = NULL;
        if (capacity <= SIZE_MAX / sizeof(*steps)) {
            steps = realloc(sched->steps, capacity * sizeof(*steps));
        }
        if (!steps) {
            sched->status = HITOP_ERR_NOMEM;
            return;
        }
        sched->steps = steps;
        sched->capacity = capacity;
    }
    sched->steps[sched->count++] = step;
}

/* Grow the work memory of the schedule to the end of this span. */
static void note_work(struct hitop_sched *sched, enum hitop_buffer buffer, size_t end)
{
    if (buffer == HITOP_BUFFER_WORK && end > sched->work) {
        sched->work = end;
    }
}

void hitop_sched_send(struct hitop_sched *sched, int to, struct hitop_span span)
{
    note_work(sched, span.buffer, span.offset + span.bytes);
    append(sched, (struct hitop_step){.kind = HITOP_STEP_SEND, .peer = to, .span = span});
}

void hitop_sched_deliver(struct hitop_sched *sched, int to, struct hitop_span span)
{
    note_work(sched, span.buffer, span.offset + span.bytes);
    append(sched,
           (struct hitop_step){.kind = HITOP_STEP_SEND, .peer = to, .delivers = 1, .span = span});
}

void hitop_sched_recv(struct hitop_sched *sched, int from, struct hitop_span span)
{
    note_work(sched, span.buffer, span.offset + span.bytes);
    append(sched, (struct hitop_step){.kind = HITOP_STEP_RECV, .peer = from, .span = span});
}

/* A step between two spans of one rank. */
static void append_local(struct hitop_sched *sched, enum hitop_step_kind kind,
                         struct hitop_span source, struct hitop_span to)
{
    if (source.bytes != to.bytes && sched->status == HITOP_OK) {
        sched->status = HITOP_ERR_INVALID;
    }
    if (to.bytes > 0) {
        note_work(sched, source.buffer, source.offset + source.bytes);
        note_work(sched, to.buffer, to.offset + to.bytes);
        append(sched, (struct hitop_step){.kind = kind,
                                          .span = to,
                                          .source = source.buffer,
                                          .source_offset = source.offset});
    }
}

void hitop_sched_copy(struct hitop_sched *sched, struct hitop_span source, struct hitop_span to)
{
    append_local(sched, HITOP_STEP_COPY, source, to);
}

void hitop_sched_reduce(struct hitop_sched *sched, struct hitop_span source, struct hitop_span to)
{
    append_local(sched, HITOP_STEP_REDUCE, source, to);
}

void hitop_sched_fence(struct hitop_sched *sched)
{
    append(sched, (struct hitop_step){.kind = HITOP_STEP_FENCE});
}

void hitop_sched_fail(struct hitop_sched *sched, enum hitop_status status)
{
    sched->status = status;
}

enum hitop_status hitop_sched_status(const struct hitop_sched *sched)
{
    return sched->status;
}

const struct hitop_step *hitop_sched_steps(const struct hitop_sched *sched, size_t *count)
{
    *count = sched->count;
    return sched->steps;
}

size_t hitop_sched_work(const struct hitop_sched *sched)
{
    return sched->work;
}
