/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.c - copies to memory in which others will read; see copier.h. */
#include <config.h>

#include "coll/node/node_inside.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/*
 * Streaming pays where it takes at most so much of an ordinary copy's time: readers take longer for
 * what comes from memory.
 */
static const double worth = 0.35;

/*
 * Others have become very far: until a trial soon tells, what the last one told holds; before any
 * they are streamed to.
 */
static void begin(struct hitop_copier *copier)
{
    copier->tried = 0;
    copier->next = HITOP_COPY_FIRST_TRIAL;
    copier->rest = HITOP_COPY_LEAST_REST;
}

enum hitop_copy_way hitop_copier_next(struct hitop_copier *copier, int is_very_far, int *is_trial)
{
    *is_trial = 0;
    copier->copies++;
    if (!is_very_far) {
        copier->very_far = 0;
        return HITOP_COPY_ORDINARY;
    }
    if (copier->very_far == 0) {
        begin(copier);
    }
    *is_trial = copier->very_far++ >= copier->next;
    if (*is_trial) {
        return (enum hitop_copy_way)(copier->tried % HITOP_COPY_NWAYS);
    }
    return copier->is_dear ? HITOP_COPY_ORDINARY : HITOP_COPY_STREAMED;
}

/* Between the middle ones. */
static double middle(const double *cost)
{
    double all = 0, least = cost[0], most = cost[0];

    for (int i = 0; i < HITOP_COPY_TRIES; i++) {
        all += cost[i];
        least = cost[i] < least ? cost[i] : least;
        most = cost[i] > most ? cost[i] : most;
    }
    return (all - least - most) / (HITOP_COPY_TRIES - 2);
}

void hitop_copier_learn(struct hitop_copier *copier, double cost)
{
    const unsigned way = copier->tried % HITOP_COPY_NWAYS;

    copier->cost[way][copier->tried++ / HITOP_COPY_NWAYS] = cost;
    if (copier->tried < HITOP_COPY_NWAYS * HITOP_COPY_TRIES) {
        return;
    }
    copier->is_dear = middle(copier->cost[HITOP_COPY_STREAMED]) >
                      worth * middle(copier->cost[HITOP_COPY_ORDINARY]);
    copier->tried = 0;
    copier->next = copier->very_far + copier->rest;
    copier->rest =
        2 * copier->rest < HITOP_COPY_MOST_REST ? 2 * copier->rest : HITOP_COPY_MOST_REST;
}

#if defined(__SSE2__)

enum { CACHE_LINE = 64, NPARTS = CACHE_LINE / sizeof(__m128i) };

static void stream(unsigned char *to, const unsigned char *from, size_t bytes)
{
    const size_t to_line = (size_t)(-(uintptr_t)to % CACHE_LINE);
    const size_t before = bytes < to_line ? bytes : to_line;
    const size_t nlines = (bytes - before) / CACHE_LINE;

    memcpy(to, from, before);
    to += before;
    from += before;
    for (size_t i = 0; i < nlines; i++, to += CACHE_LINE, from += CACHE_LINE) {
        __m128i line[NPARTS];

        memcpy(line, from, sizeof(line));
        for (int k = 0; k < (int)NPARTS; k++) {
            _mm_stream_si128((__m128i *)(void *)to + k, line[k]);
        }
    }
    memcpy(to, from, bytes - before - nlines * CACHE_LINE);
    _mm_sfence(); /* a release store does not wait for them */
}

#else

static void stream(unsigned char *to, const unsigned char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#endif

void hitop_copy_abreast(void *to, const void *from, size_t bytes)
{
    enum { STEP = 64, PARTS = 4 };
    unsigned char *target = to;
    const unsigned char *source = from;
    const size_t part = bytes / PARTS / STEP * STEP;

    for (size_t i = 0; i < part; i += STEP) {
        for (size_t k = 0; k < PARTS; k++) {
            memcpy(target + k * part + i, source + k * part + i, STEP);
        }
    }
    memcpy(target + PARTS * part, source + PARTS * part, bytes - PARTS * part);
}

static void copy(const struct hitop_node *node, enum hitop_copy_way way, void *to, const void *from,
                 size_t bytes)
{
    if (way == HITOP_COPY_STREAMED) {
        stream(to, from, bytes);
    } else {
        hitop_node_copy_ordinary(node, to, from, bytes, bytes);
    }
}

static void look_if_due(struct hitop_node *node)
{
    struct hitop_copier *copier = &node->copier;

    if (copier->copies % HITOP_COPIES_PER_LOOK == 0) {
        copier->is_due = 1;
    }
    if (copier->is_due && copier->looked <= node->seq && node->nranks > 1) {
        copier->looked = node->seq + 1;
        copier->is_due = !hitop_distance_look(node);
    }
}

void hitop_node_copy_much(struct hitop_node *node, void *to, const void *from, size_t bytes)
{
    struct hitop_copier *copier = &node->copier;
    enum hitop_copy_way way;
    uint64_t since;
    double took;
    int is_trial, is_lesson;

    look_if_due(node);
    way = hitop_copier_next(copier, node->distance.is_very_far, &is_trial);
    is_lesson = !hitop_node_streams(node) && node->lesson;
    if (!is_trial && !is_lesson) {
        copy(node, way, to, from, bytes);
        return;
    }
    since = hitop_wait_clock_alone();
    copy(node, way, to, from, bytes);
    took = (double)(hitop_wait_clock_alone() - since);
    if (is_lesson && way == HITOP_COPY_ORDINARY) {
        hitop_course_learn(node->lesson, bytes, took);
    }
    if (is_trial) {
        hitop_copier_learn(copier, took / (double)bytes);
    }
}
