/* SPDX-License-Identifier: BSD-3-Clause */
/* copier.c - see copier.h. */
#include <config.h>

#include "node_inside.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum hitop_copy_way hitop_copier_next(struct hitop_copier *copier, int is_far, int *is_trial)
{
    const int turn = (int)(copier->copies++ % HITOP_COPIES_PER_TRIAL) - HITOP_COPIES_PER_TRIAL / 2;

    *is_trial = is_far && turn >= 0 && turn < HITOP_COPY_NWAYS;
    if (*is_trial) {
        return (enum hitop_copy_way)turn;
    }
    return is_far && !copier->is_dear ? HITOP_COPY_STREAMED : HITOP_COPY_ORDINARY;
}

void hitop_copier_learn(struct hitop_copier *copier, enum hitop_copy_way way, double cost)
{
    /* memory that is touched for the first time costs about the same */
    const double doubt = 1.25;

    if (way == HITOP_COPY_ORDINARY) { /* the first one of a trial */
        copier->ordinary = cost;
    } else {
        copier->is_dear = cost > doubt * copier->ordinary;
    }
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
    } else if (bytes >= HITOP_COPY_ABREAST && hitop_node_is_fairly_far(node)) {
        hitop_copy_abreast(to, from, bytes);
    } else {
        memcpy(to, from, bytes);
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
    is_lesson = !node->distance.is_very_far && node->lesson; /* then it is no trial */
    if (!is_trial && !is_lesson) {
        copy(node, way, to, from, bytes);
        return;
    }
    since = hitop_wait_clock_alone();
    copy(node, way, to, from, bytes);
    took = (double)(hitop_wait_clock_alone() - since);
    if (is_lesson) {
        hitop_course_learn(node->lesson, bytes, took);
    } else {
        hitop_copier_learn(copier, way, took / (double)bytes);
    }
}
