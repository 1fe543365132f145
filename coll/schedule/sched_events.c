/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_events.c - events and timers as binary heaps. */
#include <config.h>

#include "coll/schedule/sched_events.h"

#include <math.h>
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

double hitop_sched_events_first(const struct sched_events *events)
{
    return events->count > 0 ? events->heap[0].time : HUGE_VAL;
}

/* ---- Timers ---- */

int hitop_sched_timers_init(struct sched_timers *timers, int room)
{
    *timers = (struct sched_timers){.time = calloc((size_t)room + 1, sizeof(*timers->time)),
                                    .heap = calloc((size_t)room + 1, sizeof(*timers->heap)),
                                    .place = calloc((size_t)room + 1, sizeof(*timers->place))};
    for (int i = 0; timers->place && i < room; i++) {
        timers->place[i] = -1;
    }
    return timers->time && timers->heap && timers->place;
}

void hitop_sched_timers_fini(struct sched_timers *timers)
{
    free(timers->place);
    free(timers->heap);
    free(timers->time);
}

static int rings_before(const struct sched_timers *timers, int a, int b)
{
    return timers->time[a] < timers->time[b] || (timers->time[a] <= timers->time[b] && a < b);
}

static void put(struct sched_timers *timers, int place, int timer)
{
    timers->heap[place] = timer;
    timers->place[timer] = place;
}

/* Move a timer from a free place to where it belongs. */
static void sift(struct sched_timers *timers, int place, int timer)
{
    int child;

    while (place > 0 && rings_before(timers, timer, timers->heap[(place - 1) / 2])) {
        put(timers, place, timers->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    while ((child = 2 * place + 1) < timers->count) {
        child += child + 1 < timers->count &&
                 rings_before(timers, timers->heap[child + 1], timers->heap[child]);
        if (!rings_before(timers, timers->heap[child], timer)) {
            break;
        }
        put(timers, place, timers->heap[child]);
        place = child;
    }
    put(timers, place, timer);
}

void hitop_sched_timers_set(struct sched_timers *timers, int timer, double time)
{
    const int place = timers->place[timer];

    timers->time[timer] = time;
    if (time < HUGE_VAL) {
        sift(timers, place < 0 ? timers->count++ : place, timer);
    } else if (place >= 0) {
        const int last = timers->heap[--timers->count];
        timers->place[timer] = -1;
        if (last != timer) {
            sift(timers, place, last);
        }
    }
}
