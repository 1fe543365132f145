/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_check.c - the memory of one rank's steps: bounds, and races within a phase. */
#include <config.h>

#include "coll/schedule/sched_check.h"

#include <stdint.h>
#include <stdlib.h>

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

/* Bytes that a step uses, as addresses: the two buffers of the user may be one memory. */
struct stretch {
    int is_work;
    uintptr_t begin, end;
    size_t step;
};

static struct stretch locate(const struct hitop_span *span,
                             const struct hitop_replay_memory *memory, size_t step)
{
    const uintptr_t base = span->buffer == HITOP_BUFFER_SEND   ? (uintptr_t)memory->send
                           : span->buffer == HITOP_BUFFER_RECV ? (uintptr_t)memory->recv
                                                               : 0;

    return (struct stretch){span->buffer == HITOP_BUFFER_WORK, base + span->offset,
                            base + span->offset + span->bytes, step};
}

static int compare(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    if (x->is_work != y->is_work) {
        return x->is_work - y->is_work;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The receives of a phase in the order of memory. */
struct receives {
    struct stretch *list;
    size_t count;
};

/* The receive that touches these bytes, or NULL. Receives do not overlap. */
static const struct stretch *find(const struct receives *receives, const struct stretch *used)
{
    size_t low = 0, high = receives->count; /* those before low begin before the end of the bytes */

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct stretch *s = &receives->list[middle];
        if (s->is_work < used->is_work || (s->is_work == used->is_work && s->begin < used->end)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0 && used->end > used->begin) {
        const struct stretch *last = &receives->list[low - 1];
        return last->is_work == used->is_work && last->end > used->begin ? last : NULL;
    }
    return NULL;
}

static enum hitop_status race(size_t a, size_t b, int rank, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "race: steps %zu and %zu of rank %d use the same bytes in one phase",
                      a < b ? a : b, a < b ? b : a, rank);
}

/* Steps first .. end - 1: nothing else touches what is received. */
static enum hitop_status check_phase(const struct hitop_step *steps, size_t first, size_t end,
                                     int rank, const struct hitop_replay_memory *memory,
                                     struct receives *receives, struct hitop_diag *diag)
{
    receives->count = 0;
    for (size_t i = first; i < end; i++) {
        if (steps[i].kind == HITOP_STEP_RECV && steps[i].span.bytes > 0) {
            receives->list[receives->count++] = locate(&steps[i].span, memory, i);
        }
    }
    if (receives->count > 1) {
        qsort(receives->list, receives->count, sizeof(*receives->list), compare);
    }
    for (size_t k = 1; k < receives->count; k++) {
        const struct stretch *before = &receives->list[k - 1], *s = &receives->list[k];
        if (before->is_work == s->is_work && before->end > s->begin) {
            return race(before->step, s->step, rank, diag);
        }
    }
    for (size_t i = first; i < end && receives->count > 0; i++) {
        const struct hitop_span source = source_of(&steps[i]);
        const struct stretch to = locate(&steps[i].span, memory, i);
        const struct stretch from = locate(&source, memory, i);
        const struct stretch *found = steps[i].kind == HITOP_STEP_RECV ? NULL : find(receives, &to);
        if (!found && is_local(&steps[i])) {
            found = find(receives, &from);
        }
        if (found) {
            return race(found->step, i, rank, diag);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_sched_check(const struct hitop_sched *sched, int rank,
                                    const struct hitop_replay_memory *memory, int can_reduce,
                                    struct hitop_diag *diag)
{
    const size_t sizes[HITOP_NBUFFERS] = {[HITOP_BUFFER_SEND] = memory->send_bytes,
                                          [HITOP_BUFFER_RECV] = memory->recv_bytes,
                                          [HITOP_BUFFER_WORK] = hitop_sched_work(sched)};
    size_t count, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);
    struct receives receives = {.list = calloc(count + 1, sizeof(*receives.list))};
    enum hitop_status status = HITOP_OK;

    if (!receives.list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        status = check_step(&steps[i], sizes, i, rank, can_reduce, diag);
        if (steps[i].kind == HITOP_STEP_FENCE && status == HITOP_OK) {
            status = check_phase(steps, phase, i, rank, memory, &receives, diag);
            phase = i + 1;
        }
    }
    free(receives.list);
    return status;
}
