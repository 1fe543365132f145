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

void hitop_sched_send(struct hitop_sched *sched, int to, size_t offset, size_t bytes)
{
    append(sched, (struct hitop_step){HITOP_STEP_SEND, to, offset, bytes});
}

void hitop_sched_recv(struct hitop_sched *sched, int from, size_t offset, size_t bytes)
{
    append(sched, (struct hitop_step){HITOP_STEP_RECV, from, offset, bytes});
}

void hitop_sched_fence(struct hitop_sched *sched)
{
    append(sched, (struct hitop_step){.kind = HITOP_STEP_FENCE});
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
