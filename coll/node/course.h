/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_COURSE_H
#define HITOP_NODE_COURSE_H

/*
 * course.h - whether a writer with near readers keeps to the first part of its ring, or goes all the way round.
 *
 * Idea:   bytes that readers have in their caches are cheap to overwrite on some machines, and on others several times as dear
 *         as those that have left these caches meanwhile. What it is depends on the processors, on how far they are, and on who
 *         has read: one who writes where it has just read always finds it cheap. So a writer tries both now and then, some messages
 *         long, times its copies, and keeps to what cost less. It knows six kinds of messages: those up to an eighth of a lap, those
 *         shorter than a lap, and longer ones, each behind a message of its own and behind another writer's.
 *         Memory that is written for the first time costs more than either: such copies do not count. Nor do all those
 *         of the ring's next round where it was written long ago and costs somewhat more than laps.
 * Cost:   of 1024 messages and as many quarters of a lap three messages or two laps go the dearer way, and in twice as many each copy has
 *         two readings of a clock; where the ring is dearer, but less than twice as dear, in one of four times a round more.
 * Source: measured on two AMD EPYC, broadcasts of 64 KiB from one root between near processors, in laps and around the ring, us: 1.35
 *         and 2.5 on one, 7.9 and 2.4 on the other; with roots in turn 2.2 and 3.9 there (bench/RESULTS.md).
 */

#include <stddef.h>
#include <stdint.h>

enum hitop_course { HITOP_COURSE_LAPS, HITOP_COURSE_RING, HITOP_NCOURSES };

/* Lengths that learn apart: up to an eighth of a lap, below a lap, from a lap. */
enum hitop_course_length {
    HITOP_COURSE_SHORT,
    HITOP_COURSE_MEDIUM,
    HITOP_COURSE_LONG,
    HITOP_COURSE_LENGTHS
};

enum {
    HITOP_COURSE_TRIAL = 3,     /* messages of a trial, at least, and a lap that counts */
    HITOP_COURSE_REST = 32,     /* messages from one trial to the next, at least, and */
    HITOP_COURSE_REST_LAPS = 8, /* laps; four times as long after one without news, up to */
    HITOP_COURSE_MOST = 1024,   /* and as many times as many laps */
    HITOP_COURSE_DOUBTS = 4,    /* trials in doubt, of which one takes a whole round */
    HITOP_COURSE_SAMPLES = 15,  /* copies of a trial that are remembered, the last ones */
};

/* What is known of a kind of messages. */
struct hitop_course_kind {
    int trying; /* a course, or HITOP_NCOURSES: none, the better one is taken */
    enum hitop_course better;
    unsigned messages, rest; /* since that began; until the next trial */
    uint64_t bytes, blind;   /* since that began; of them, those that do not count */
    unsigned doubts, nsamples;
    double sample[HITOP_COURSE_SAMPLES]; /* ns per byte */
    double cost[HITOP_NCOURSES];
};

/* What a writer knows of one ring. */
struct hitop_courses {
    size_t lap, ring; /* bytes */
    /* Behind a message of another writer, and of its own. */
    struct hitop_course_kind kind[HITOP_COURSE_LENGTHS][2];
    enum hitop_course now; /* of the message under way */
    uint64_t gone;         /* bytes that went all the way round, up to a ring */
};

enum hitop_course_length hitop_course_length(const struct hitop_courses *courses, size_t bytes);

void hitop_courses_init(struct hitop_courses *courses, size_t lap, size_t ring);

/*
 * The course of a message of `bytes` that begins now; `is_again` if what was written to the ring before was this writer's, too.
 * *lesson: who wants to hear what its copies take, or NULL.
 */
enum hitop_course hitop_courses_begin(struct hitop_courses *courses, size_t bytes, int is_again,
                                      struct hitop_course_kind **lesson);

/* Nothing is learned of this one: it takes a course that somebody else has chosen. */
enum hitop_course hitop_courses_follow(struct hitop_courses *courses, size_t bytes,
                                       enum hitop_course course);

/* A copy of such a message took so long. */
void hitop_course_learn(struct hitop_course_kind *lesson, size_t bytes, double ns);

/* Everything may be different now. */
void hitop_courses_forget(struct hitop_courses *courses);

#endif /* HITOP_NODE_COURSE_H */
