/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - check the memory of each step, then run all steps in an order that MPI allows.
 *
 * A rank runs until it has to wait for one message: a synchronous send for its receive, a receive
 * for its send. The other end of the message makes it ready again. So every step is visited once or
 * twice.
 */
#include <config.h>

#include "tests/support/replay.h"

#include "coll/schedule/sched_match.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory of the steps of one rank: bounds, and races within a phase ---- */

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

static enum hitop_status check_memory(const struct hitop_sched *sched, int rank,
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

/* ---- Order of the steps of all ranks ---- */

/* Events of a run; the numbers are those of matching.messages[]. */
struct sched_visitor {
    void *self;
    enum hitop_status (*send)(void *self, size_t message, struct hitop_diag *diag);
    void (*receive)(void *self, size_t message);                        /* after its send */
    void (*local)(void *self, int rank, const struct hitop_step *step); /* a copy or a reduction */
};

enum { POSTED = 1u << 0, SENT = 1u << 1, SENDER_WAITS = 1u << 2, RECEIVER_WAITS = 1u << 3 };

struct walker {
    size_t phase; /* first step of the current phase */
    size_t fence; /* its last one, once entered */
    enum { ENTERING, WORKING, RECEIVING } stage;
};

struct run {
    struct hitop_sched *const *scheds;
    const struct matching *matching;
    enum hitop_send_mode mode;
    const struct sched_visitor *visitor;
    struct walker *walkers; /* [size] */
    size_t *next;           /* [size]: step to look at next; their number when done */
    unsigned char *flags;   /* [nmessages] */
    int *ready;             /* [size]: stack of ranks that can go on */
    int nready;
};

static void wake(struct run *run, size_t message, unsigned flag, int rank)
{
    if (run->flags[message] & flag) {
        run->flags[message] &= (unsigned char)~flag;
        run->ready[run->nready++] = rank;
    }
}

static void enter(struct run *run, int rank, const struct hitop_step *steps)
{
    struct walker *w = &run->walkers[rank];
    size_t i;

    for (i = w->phase; steps[i].kind != HITOP_STEP_FENCE; i++) {
        const size_t m = run->matching->message_of[run->matching->first[rank] + i];
        if (steps[i].kind == HITOP_STEP_RECV) {
            run->flags[m] |= POSTED;
            wake(run, m, SENDER_WAITS, steps[i].peer);
        }
    }
    w->fence = i;
    w->stage = WORKING;
}

/* Wait for the other end of a message, unless it is there; 1: wait. */
static int must_wait(struct run *run, size_t message, unsigned other, unsigned flag)
{
    if (run->flags[message] & other) {
        return 0;
    }
    run->flags[message] |= (unsigned char)flag;
    return 1;
}

/* Sends, copies and reductions in their order; *blocked: the rank must wait. */
static enum hitop_status work(struct run *run, int rank, const struct hitop_step *steps,
                              int *blocked, struct hitop_diag *diag)
{
    const struct sched_visitor *visitor = run->visitor;
    const size_t fence = run->walkers[rank].fence;

    for (size_t *next = &run->next[rank]; *next < fence; ++*next) {
        const struct hitop_step *step = &steps[*next];
        const size_t m = run->matching->message_of[run->matching->first[rank] + *next];
        enum hitop_status status;
        if (step->kind == HITOP_STEP_RECV) {
            continue;
        }
        if (step->kind != HITOP_STEP_SEND) {
            visitor->local(visitor->self, rank, step);
            continue;
        }
        *blocked = run->mode != HITOP_SEND_BUFFERED && must_wait(run, m, POSTED, SENDER_WAITS);
        if (*blocked) {
            return HITOP_OK;
        }
        status = visitor->send(visitor->self, m, diag);
        if (status != HITOP_OK) {
            return status;
        }
        run->flags[m] |= SENT;
        wake(run, m, RECEIVER_WAITS, step->peer);
    }
    return HITOP_OK;
}

/* The receives of a phase; *blocked: the rank must wait for one. */
static void receive(struct run *run, int rank, const struct hitop_step *steps, int *blocked)
{
    const size_t fence = run->walkers[rank].fence;

    for (size_t *next = &run->next[rank]; *next < fence; ++*next) {
        const size_t m = run->matching->message_of[run->matching->first[rank] + *next];
        if (steps[*next].kind != HITOP_STEP_RECV) {
            continue;
        }
        *blocked = must_wait(run, m, SENT, RECEIVER_WAITS);
        if (*blocked) {
            return;
        }
        run->visitor->receive(run->visitor->self, m);
    }
}

static enum hitop_status advance(struct run *run, int rank, struct hitop_diag *diag)
{
    struct walker *w = &run->walkers[rank];
    enum hitop_status status = HITOP_OK;
    size_t count;
    const struct hitop_step *steps = hitop_sched_steps(run->scheds[rank], &count);
    int blocked = 0;

    while (w->phase < count) {
        if (w->stage == ENTERING) {
            enter(run, rank, steps);
        }
        if (w->stage == WORKING) {
            status = work(run, rank, steps, &blocked, diag);
            if (status != HITOP_OK || blocked) {
                return status;
            }
            run->next[rank] = w->phase;
            w->stage = RECEIVING;
        }
        receive(run, rank, steps, &blocked);
        if (blocked) {
            return HITOP_OK;
        }
        w->phase = run->next[rank] = w->fence + 1;
        w->stage = ENTERING;
    }
    return HITOP_OK;
}

static enum hitop_status run_all(struct hitop_sched *const *scheds, int size,
                                 const struct matching *matching, enum hitop_send_mode mode,
                                 const struct sched_visitor *visitor, struct hitop_diag *diag)
{
    struct run run = {.scheds = scheds, .matching = matching, .mode = mode, .visitor = visitor};
    enum hitop_status status = HITOP_OK;

    run.walkers = calloc((size_t)size, sizeof(*run.walkers));
    run.next = calloc((size_t)size, sizeof(*run.next));
    run.flags = calloc(matching->nmessages + 1, sizeof(*run.flags));
    run.ready = calloc((size_t)size, sizeof(*run.ready));
    if (!run.walkers || !run.next || !run.flags || !run.ready) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "schedules of %d ranks: out of memory", size);
        goto out;
    }
    for (int r = size - 1; r >= 0; r--) {
        run.ready[run.nready++] = r;
    }
    while (run.nready > 0 && status == HITOP_OK) {
        status = advance(&run, run.ready[--run.nready], diag);
    }
    if (status == HITOP_OK) {
        status = hitop_sched_check_finished(scheds, size, run.next, diag);
    }

out:
    free(run.ready);
    free(run.flags);
    free(run.next);
    free(run.walkers);
    return status;
}

/* ---- Data ---- */

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
        status = check_memory(scheds[r], r, &memory[r], op != NULL, diag);
    }
    if (status == HITOP_OK) {
        status = make_work(&replay, scheds, size, diag);
    }
    if (status == HITOP_OK) {
        status = run_all(scheds, size, &matching, mode, &visitor, diag);
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
