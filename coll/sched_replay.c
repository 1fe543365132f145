/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_replay.c - run the schedules of all ranks in one process with real bytes. */
#include <config.h>

#include "sched_run.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    const struct matching *matching;
    unsigned char *const *buffers;
    unsigned char **copies; /* [nmessages]: what was sent and not yet received */
};

/* The bytes leave when they are sent: what the sender does to its buffer later must not show. */
static enum hitop_status send_bytes(void *self, size_t message, struct hitop_diag *diag)
{
    const struct replay *replay = self;
    const struct message *m = &replay->matching->messages[message];
    unsigned char *copy = malloc(m->send->bytes + 1);

    if (!copy) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
    }
    if (m->send->bytes > 0) {
        memcpy(copy, replay->buffers[m->from] + m->send->offset, m->send->bytes);
    }
    replay->copies[message] = copy;
    return HITOP_OK;
}

static void receive_bytes(void *self, size_t message)
{
    const struct replay *replay = self;
    const struct message *m = &replay->matching->messages[message];

    if (m->recv->bytes > 0) {
        memcpy(replay->buffers[m->to] + m->recv->offset, replay->copies[message], m->recv->bytes);
    }
    free(replay->copies[message]);
    replay->copies[message] = NULL;
}

static int overlap(const struct hitop_step *a, const struct hitop_step *b)
{
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Within a phase nothing orders a receive against the other steps: their bytes must differ. */
static enum hitop_status check_races(const struct hitop_sched *sched, int rank,
                                     struct hitop_diag *diag)
{
    size_t count, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);

    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_FENCE) {
            phase = i + 1;
        }
        for (size_t j = phase; j < i; j++) {
            const int writes = steps[i].kind == HITOP_STEP_RECV || steps[j].kind == HITOP_STEP_RECV;
            if (writes && overlap(&steps[i], &steps[j])) {
                return hitop_fail(
                    diag, HITOP_ERR_INVALID,
                    "race: steps %zu and %zu of rank %d use the same bytes in one phase", j, i,
                    rank);
            }
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_sched_replay(struct hitop_sched *const *scheds, int size,
                                     enum hitop_send_mode mode, unsigned char *const *buffers,
                                     struct hitop_diag *diag)
{
    struct matching matching;
    struct replay replay = {&matching, buffers, NULL};
    const struct sched_visitor visitor = {
        .self = &replay, .send = send_bytes, .receive = receive_bytes};
    enum hitop_status status = matching_init(&matching, scheds, size, diag);

    for (int r = 0; r < size && status == HITOP_OK; r++) {
        status = check_races(scheds[r], r, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    replay.copies = calloc(matching.nmessages + 1, sizeof(*replay.copies));
    if (!replay.copies) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "replay: out of memory");
        goto out;
    }
    status = sched_run(scheds, size, &matching, mode, &visitor, diag);

out:
    for (size_t m = 0; replay.copies && m < matching.nmessages; m++) {
        free(replay.copies[m]);
    }
    free(replay.copies);
    matching_fini(&matching);
    return status;
}
