/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_check.c - the memory of one rank's steps: bounds, and races within a phase. */
#include <config.h>

#include "sched_check.h"

static const char *const names[HITOP_NBUFFERS] = {"send", "receive", "work"};

static int is_local(const struct hitop_step *step)
{
    return step->kind == HITOP_STEP_COPY || step->kind == HITOP_STEP_REDUCE;
}

static struct hitop_span source_of(const struct hitop_step *step)
{
    return (struct hitop_span){step->source, step->source_offset, step->span.bytes};
}

static enum hitop_status check_span(const struct hitop_span *span, const size_t *sizes, size_t step,
                                    int rank, struct hitop_diag *diag)
{
    const size_t size = sizes[span->buffer];

    if (span->bytes > size || span->offset > size - span->bytes) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "step %zu of rank %d: bytes %zu..%zu of a %s buffer of %zu", step, rank,
                          span->offset, span->offset + span->bytes, names[span->buffer], size);
    }
    return HITOP_OK;
}

static enum hitop_status check_step(const struct hitop_step *step, const size_t *sizes,
                                    size_t index, int rank, int can_reduce, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (step->kind == HITOP_STEP_FENCE) {
        return HITOP_OK;
    }
    status = check_span(&step->span, sizes, index, rank, diag);
    if (status == HITOP_OK && step->kind != HITOP_STEP_SEND &&
        step->span.buffer == HITOP_BUFFER_SEND) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "step %zu of rank %d writes the send buffer",
                            index, rank);
    }
    if (status == HITOP_OK && is_local(step)) {
        const struct hitop_span source = source_of(step);
        status = check_span(&source, sizes, index, rank, diag);
    }
    if (status == HITOP_OK && step->kind == HITOP_STEP_REDUCE && !can_reduce) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "step %zu of rank %d reduces without an op",
                            index, rank);
    }
    return status;
}

static int overlap(const struct hitop_span *a, const struct hitop_span *b)
{
    return a->buffer == b->buffer && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

/* Whether one of the two receives what the other one touches. */
static int race(const struct hitop_step *a, const struct hitop_step *b)
{
    const struct hitop_step *receive = a->kind == HITOP_STEP_RECV ? a : b;
    const struct hitop_step *other = receive == a ? b : a;
    const struct hitop_span source = source_of(other);

    return receive->kind == HITOP_STEP_RECV &&
           (overlap(&receive->span, &other->span) ||
            (is_local(other) && overlap(&receive->span, &source)));
}

enum hitop_status sched_check(const struct hitop_sched *sched, int rank,
                              const struct hitop_replay_memory *memory, int can_reduce,
                              struct hitop_diag *diag)
{
    const size_t sizes[HITOP_NBUFFERS] = {[HITOP_BUFFER_SEND] = memory->send_bytes,
                                          [HITOP_BUFFER_RECV] = memory->recv_bytes,
                                          [HITOP_BUFFER_WORK] = hitop_sched_work(sched)};
    size_t count, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        status = check_step(&steps[i], sizes, i, rank, can_reduce, diag);
        if (steps[i].kind == HITOP_STEP_FENCE) {
            phase = i + 1;
        }
        for (size_t j = phase; j < i && status == HITOP_OK; j++) {
            if (race(&steps[i], &steps[j])) {
                status = hitop_fail(diag, HITOP_ERR_INVALID,
                                    "race: steps %zu and %zu of rank %d use the same bytes in one "
                                    "phase",
                                    j, i, rank);
            }
        }
    }
    return status;
}
