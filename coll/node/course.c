/* SPDX-License-Identifier: BSD-3-Clause */
/* course.c - see course.h. */
#include <config.h>

#include "coll/node/course.h"

/*
 * Laps spare the caches of those who read, too, which the writer does not see: it leaves them for a good reason only. And it
 * comes back for some reason only, since the ring, tried after laps, is dearer than in the long run.
 */
static const double enough = 0.9;

/* Who has kept to laps for long finds the ring cold. Where that costs less than so many times as much, a whole round may tell. */
static const double too_near = 2;

/* `blind` bytes find what was there before, and do not count. */
static void begin_phase(struct hitop_course_kind *k, int trying, uint64_t blind)
{
    k->trying = trying;
    k->messages = 0;
    k->blind = blind;
    k->bytes = 0;
    k->nsamples = 0;
}

/* In the middle of the samples; 0: there are none. */
static double middle(const struct hitop_course_kind *k)
{
    const int n = (int)(k->nsamples < HITOP_COURSE_SAMPLES ? k->nsamples : HITOP_COURSE_SAMPLES);
    double sorted[HITOP_COURSE_SAMPLES];

    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > k->sample[i]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = k->sample[i];
    }
    return n > 0 ? sorted[n / 2] : 0;
}

/* Both have been tried. Who changes his mind looks again soon: it may have been the trial that was unlike the rest. */
static void settle(struct hitop_course_kind *k)
{
    const double laps = k->cost[HITOP_COURSE_LAPS], ring = k->cost[HITOP_COURSE_RING];
    const double most = k->better == HITOP_COURSE_RING ? laps : enough * laps;
    const enum hitop_course before = k->better;

    k->better = laps > 0 && ring > 0 && ring < most ? HITOP_COURSE_RING : HITOP_COURSE_LAPS;
    k->rest = k->rest == 0 || k->better != before ? HITOP_COURSE_REST : 4 * k->rest;
    k->rest = k->rest < HITOP_COURSE_MOST ? k->rest : HITOP_COURSE_MOST;
    begin_phase(k, HITOP_NCOURSES, 0);
}

static int is_over(const struct hitop_course_kind *k, size_t lap)
{
    if (k->trying != HITOP_NCOURSES) {
        return k->messages >= HITOP_COURSE_TRIAL && k->bytes >= k->blind + lap;
    }
    return k->messages >= k->rest &&
           k->bytes >= (uint64_t)lap * HITOP_COURSE_REST_LAPS * (k->rest / HITOP_COURSE_REST);
}

/*
 * The ring has been tried for a lap: shall a whole round tell instead? Who goes round anyway may always ask; long messages, of which
 * a few would be most of those before the next trial, do not.
 */
static int is_doubtful(const struct hitop_courses *courses, struct hitop_course_kind *k)
{
    const double laps = k->cost[HITOP_COURSE_LAPS], ring = k->cost[HITOP_COURSE_RING];

    if (k->blind >= courses->ring || k->bytes >= (uint64_t)courses->lap * k->messages ||
        ring <= enough * laps || ring >= too_near * laps) {
        return 0;
    }
    return k->better == HITOP_COURSE_RING || k->doubts++ % HITOP_COURSE_DOUBTS == 0;
}

/* Laps are tried, then the ring, once all of it has been written, for longer in doubt, then there is a rest. */
static void end_phase(struct hitop_courses *courses, struct hitop_course_kind *k)
{
    const uint64_t fresh = courses->ring - courses->gone;

    if (k->trying == HITOP_NCOURSES) {
        begin_phase(k, HITOP_COURSE_LAPS, courses->lap);
        return;
    }
    k->cost[k->trying] = middle(k);
    if (k->trying == HITOP_COURSE_LAPS) {
        begin_phase(k, HITOP_COURSE_RING, fresh > courses->lap ? fresh : courses->lap);
    } else if (is_doubtful(courses, k)) {
        begin_phase(k, HITOP_COURSE_RING, courses->ring);
    } else {
        settle(k);
    }
}

enum hitop_course_length hitop_course_length(const struct hitop_courses *courses, size_t bytes)
{
    return bytes >= courses->lap      ? HITOP_COURSE_LONG
           : bytes > courses->lap / 8 ? HITOP_COURSE_MEDIUM
                                      : HITOP_COURSE_SHORT;
}

enum hitop_course hitop_courses_follow(struct hitop_courses *courses, size_t bytes,
                                       enum hitop_course course)
{
    const uint64_t left = courses->ring - courses->gone;

    if (course == HITOP_COURSE_RING) {
        courses->gone += bytes < left ? bytes : left;
    }
    return courses->now = course;
}

enum hitop_course hitop_courses_begin(struct hitop_courses *courses, size_t bytes, int is_again,
                                      struct hitop_course_kind **lesson)
{
    struct hitop_course_kind *k =
        &courses->kind[hitop_course_length(courses, bytes)][is_again != 0];

    if (is_over(k, courses->lap)) {
        end_phase(courses, k);
    }
    *lesson = k->trying != HITOP_NCOURSES && k->messages > 0 && k->bytes >= k->blind ? k : NULL;
    k->messages++;
    k->bytes += bytes;
    return hitop_courses_follow(
        courses, bytes, k->trying != HITOP_NCOURSES ? (enum hitop_course)k->trying : k->better);
}

void hitop_course_learn(struct hitop_course_kind *lesson, size_t bytes, double ns)
{
    lesson->sample[lesson->nsamples++ % HITOP_COURSE_SAMPLES] = ns / (double)bytes;
}

void hitop_courses_forget(struct hitop_courses *courses)
{
    for (int i = 0; i < 2 * HITOP_COURSE_LENGTHS; i++) {
        struct hitop_course_kind *k = &courses->kind[i / 2][i % 2];
        begin_phase(k, HITOP_COURSE_LAPS, courses->lap);
        k->rest = 0;
        k->doubts = 0;
        k->better = HITOP_COURSE_LAPS;
    }
}

void hitop_courses_init(struct hitop_courses *courses, size_t lap, size_t ring)
{
    *courses = (struct hitop_courses){.lap = lap, .ring = ring};
    hitop_courses_forget(courses);
}
