/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_predict.c - simulate schedules and tell when each rank has done its own. */
#include <config.h>

#include "coll/schedule/sched_simulate.h"

#include <math.h>
#include <stdlib.h>

/* A rank that waits for receives waits for the first one that has no end. */
static void find_missing(struct simulation *s, int size)
{
    for (int r = 0; r < size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(s->scheds[r], &count);
        size_t *next = &s->next[r];
        if (s->actors[r].missing > 0 && s->actors[r].stage == RECEIVING) {
            while (*next > 0 && steps[*next - 1].kind != HITOP_STEP_FENCE) {
                --*next;
            }
            while (steps[*next].kind != HITOP_STEP_RECV ||
                   (s->flags[simulation_message(s, r, *next)] & SENT)) {
                ++*next;
            }
        }
    }
}

static enum hitop_status run(struct simulation *s, int size, double *finish,
                             struct hitop_diag *diag)
{
    hitop_simulate(s);
    if (s->events.out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    find_missing(s, size);
    for (int r = 0; r < size; r++) {
        finish[r] = fmax(s->actors[r].port, s->actors[r].arrived);
    }
    return hitop_sched_check_finished(s->scheds, size, s->next, diag);
}

/* Where messages cross trunks, what else is to be known of them. */
static int make_shares(struct simulation *s)
{
    s->shares = calloc(s->matching->nmessages + 1, sizeof(*s->shares));
    s->queues = calloc((size_t)s->size, sizeof(*s->queues));
    for (int r = 0; s->queues && r < s->size; r++) {
        s->queues[r].first = NO_MESSAGE;
    }
    return s->shares && s->queues;
}

enum hitop_status hitop_sched_trace(struct hitop_sched *const *scheds, int size,
                                    const struct hitop_cost *cost, double *finish,
                                    hitop_sched_note *note, void *self, struct hitop_diag *diag)
{
    struct matching matching = {0};
    struct simulation s = {
        .size = size, .scheds = scheds, .matching = &matching, .trace = note, .trace_self = self};
    enum hitop_status status;

    if (cost->nranks < size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks do not cover %d",
                          cost->nranks, size);
    }
    status = hitop_matching_init(&matching, scheds, size, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    s.actors = calloc((size_t)size, sizeof(*s.actors));
    s.next = calloc((size_t)size, sizeof(*s.next));
    s.flags = calloc(matching.nmessages + 1, sizeof(*s.flags));
    s.transfers = calloc(matching.nmessages + 1, sizeof(*s.transfers));
    if (!s.actors || !s.next || !s.flags || !s.transfers) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        goto out;
    }
    status = hitop_sched_machine_init(&s.machine, cost, size, diag);
    if (status == HITOP_OK && s.machine.trunks && !make_shares(&s)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    if (status == HITOP_OK) {
        status = run(&s, size, finish, diag);
    }

out:
    hitop_sched_machine_fini(&s.machine);
    hitop_sched_events_fini(&s.events);
    free(s.queues);
    free(s.shares);
    free(s.transfers);
    free(s.flags);
    free(s.next);
    free(s.actors);
    hitop_matching_fini(&matching);
    return status;
}

enum hitop_status hitop_sched_predict(struct hitop_sched *const *scheds, int size,
                                      const struct hitop_cost *cost, double *finish,
                                      struct hitop_diag *diag)
{
    return hitop_sched_trace(scheds, size, cost, finish, NULL, NULL, diag);
}
