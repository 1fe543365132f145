/* SPDX-License-Identifier: BSD-3-Clause */
/* delayline_heap.c - binary heap of frames ordered by time. */
#include <config.h>

#include "tests/vcluster/delayline.h"

#include <stdlib.h>

static bool earlier(const struct dl_frame *a, const struct dl_frame *b)
{
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

bool dl_heap_push(struct dl_heap *heap, struct dl_frame *frame)
{
    size_t hole;

    if (heap->count == heap->capacity) {
        const size_t capacity = heap->capacity > 0 ? 2 * heap->capacity : 1024;
        struct dl_frame **grown = realloc(heap->frame, capacity * sizeof *grown);

        if (grown == NULL) {
            return false;
        }
        heap->frame = grown;
        heap->capacity = capacity;
    }
    for (hole = heap->count++; hole > 0; hole = (hole - 1) / 2) {
        struct dl_frame *above = heap->frame[(hole - 1) / 2];

        if (!earlier(frame, above)) {
            break;
        }
        heap->frame[hole] = above;
    }
    heap->frame[hole] = frame;
    return true;
}

struct dl_frame *dl_heap_pop(struct dl_heap *heap)
{
    struct dl_frame *first = heap->frame[0];
    struct dl_frame *last = heap->frame[--heap->count];
    size_t hole = 0;
    size_t child;

    while ((child = 2 * hole + 1) < heap->count) {
        if (child + 1 < heap->count && earlier(heap->frame[child + 1], heap->frame[child])) {
            child++;
        }
        if (!earlier(heap->frame[child], last)) {
            break;
        }
        heap->frame[hole] = heap->frame[child];
        hole = child;
    }
    heap->frame[hole] = last;
    return first;
}
