/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_run.c - advance each rank until it must wait, wake it when what it waits for has happened.
 *
 * A rank waits for one message at a time: a send for its receive to be posted (unless sends are
 * buffered), a receive for its send. So every event is looked at once or twice.
 */
#include <config.h>

#include "coll/schedule/sched_run.h"

#include <stdlib.h>

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

/* Sends, copies and reductions in their order; *blocked tells that the rank must wait. */
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

/* The receives of a phase, of which *blocked tells that the rank must wait for one. */
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

enum hitop_status hitop_sched_check_finished(struct hitop_sched *const *scheds, int size,
                                             const size_t *next, struct hitop_diag *diag)
{
    int stuck = 0, first = 0;
    size_t count;
    const struct hitop_step *step;

    for (int r = size - 1; r >= 0; r--) {
        (void)hitop_sched_steps(scheds[r], &count);
        if (next[r] < count) {
            first = r;
            stuck++;
        }
    }
    if (!stuck) {
        return HITOP_OK;
    }
    step = hitop_sched_steps(scheds[first], &count) + next[first];
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "deadlock: %d of %d ranks wait for each other, rank %d %s rank %d (step %zu)",
                      stuck, size, first,
                      step->kind == HITOP_STEP_SEND ? "to send to" : "to receive from", step->peer,
                      next[first]);
}

enum hitop_status hitop_sched_run(struct hitop_sched *const *scheds, int size,
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
