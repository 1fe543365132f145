/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_COPIER_H
#define HITOP_NODE_COPIER_H

/*
 * copier.h - how a process copies to memory in which others will read.
 *
 * Idea:   a line that another processor was the last to use has to be fetched from its cache before a store can change it, and
 *         on some processors stores wait for their lines nearly one by one. Non-temporal stores fetch nothing: whole lines go to
 *         memory, from where a reader takes them as fast as from a cache that is far away there, but not as fast as from one that is
 *         near, or from any on other processors. So each process looks now and then how far the others are (distance.h); where
 *         that is very far it tries both kinds of copies, and streams where that spares most of the time.
 * Cost:   two readings of a clock in 32 copies; where others are very far 16 more in 2048, and four of those copies are ordinary.
 * Source: measured on an AMD EPYC, ns per line of 64 bytes: processors 250 ns apart, ordinary 12 to 28 to write and 3.8 to read,
 *         streamed 2.5 and 3.7; 60 ns apart 1.7 to 7 and 1.5, streamed 2.5 and 3.7. On an Intel Xeon, a way there and back 260 ns,
 *         a streamed copy takes 0.4 to 0.9 of an ordinary one's time, but broadcasts of 256 KiB 24 us instead of 14.5
 *         (bench/RESULTS.md).
 */

#include <stddef.h>
#include <stdint.h>

/* Where there are no such stores, or time is simulated, all copies are ordinary. */
#if defined(__SSE2__) && !defined(HITOP_SMPI)
enum { HITOP_COPY_STREAMS = 1 };
#else
enum { HITOP_COPY_STREAMS = 0 };
#endif

enum hitop_copy_way { HITOP_COPY_ORDINARY, HITOP_COPY_STREAMED, HITOP_COPY_NWAYS };

enum {
    HITOP_COPY_LEAST = 1024, /* bytes: less is copied before any of this pays */
    HITOP_COPIES_PER_LOOK = 32,
    /* Copies to those that are very far: */
    HITOP_COPY_TRIES = 4,       /* of each kind in a trial */
    HITOP_COPY_FIRST_TRIAL = 8, /* before it, and */
    HITOP_COPY_LEAST_REST = 64, /* until the next one, each time twice as many up to */
    HITOP_COPY_MOST_REST = 2048,
};

/*
 * Long pieces between processors that are far, but not very far, from each other: parts of them are copied abreast, because a
 * processor fetches ahead in several pages at a time. Measured on an Intel Xeon, us to read 256 KiB that another processor has
 * just written, in one run 13.7, in two, four, eight abreast 10.9, 9.7, 9.4; to write as much that it has read 14.2 and 11.9, at 32
 * KiB a time. Shorter ones, which are near from the last time, take longer so.
 */
enum { HITOP_COPY_ABREAST = 32 * 1024 };

void hitop_copy_abreast(void *to, const void *from, size_t bytes);

/* What a process knows. Zeroed at first. */
struct hitop_copier {
    unsigned copies;
    unsigned very_far;                               /* copies since others are */
    unsigned next;                                   /* the first of those that is of a trial */
    unsigned rest;                                   /* between that and the one after it */
    unsigned tried;                                  /* copies of the trial under way */
    double cost[HITOP_COPY_NWAYS][HITOP_COPY_TRIES]; /* ns per byte */
    int is_dear;                                     /* streaming does not spare enough */
    int is_due;                                      /* a look, at most one in an operation */
    uint64_t looked; /* the operation after the one of the last look */
};

/* How the next copy is made, for readers that are very far or not; *is_trial: hitop_copier_learn() has to hear of it. */
enum hitop_copy_way hitop_copier_next(struct hitop_copier *copier, int is_very_far, int *is_trial);

/* That copy took so many ns per byte. */
void hitop_copier_learn(struct hitop_copier *copier, double cost);

#endif /* HITOP_NODE_COPIER_H */
