/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_events.c - the event queue as a binary heap. */
#include <config.h>

#include "coll/schedule/sched_events.h"

#include <stdint.h>
#include <stdlib.h>

static int is_before(const struct sched_event *a, const struct sched_event *b)
{
    if (a->time < b->time || a->time > b->time) {
        return a->time < b->time;
    }
    return a->rank != b->rank ? a->rank < b->rank : a->message < b->message;
}

void hitop_sched_events_add(struct sched_events *events, double time, int rank, size_t message)
{
    const struct sched_event e = {time, rank, message};
    size_t i = events->count;

    if (events->count == events->capacity) {
        const size_t capacity = 2 * events->capacity + 64;
        struct sched_event *heap = NULL;
        if (capacity <= SIZE_MAX / sizeof(*heap)) {
            heap = realloc(events->heap, capacity * sizeof(*heap));
        }
        if (!heap) {
            events->out_of_memory = 1;
            return;
        }
        events->heap = heap;
        events->capacity = capacity;
    }
    for (; i > 0 && is_before(&e, &events->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        events->heap[i] = events->heap[(i - 1) / 2];
    }
    events->heap[i] = e;
    events->count++;
}

int hitop_sched_events_take(struct sched_events *events, struct sched_event *out)
{
    size_t i = 0, child;
    struct sched_event last;

    if (events->count == 0) {
        return 0;
    }
    *out = events->heap[0];
    last = events->heap[--events->count];
    while ((child = 2 * i + 1) < events->count) {
        child +=
            child + 1 < events->count && is_before(&events->heap[child + 1], &events->heap[child]);
        if (!is_before(&events->heap[child], &last)) {
            break;
        }
        events->heap[i] = events->heap[child];
        i = child;
    }
    events->heap[i] = last;
    return 1;
}

void hitop_sched_events_fini(struct sched_events *events)
{
    free(events->heap);
}
