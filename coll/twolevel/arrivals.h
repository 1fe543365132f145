/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_ARRIVALS_H
#define HITOP_ARRIVALS_H

/*
 * arrivals.h - what a root knows of the arrivals of ranks at its broadcasts, and whether leaders
 * announce themselves.
 *
 * Idea:   The root judges operations in which leaders announce themselves by how late the default
 *         leaders are. A score of these judgements decides. While the score says that all ranks
 *         arrive together, leaders do not announce themselves and the root learns nothing; so now
 *         and then it lets them announce themselves in two operations in a row, a look. The second
 *         operation reports which default leader was late in the first.
 * Source: the P and CP broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011); here the root changes from one to the other. Pure: no MPI, no clock.
 */

struct arrivals {
    double score;     /* 0: all ranks arrive together; at most its first value */
    int pays;         /* the score says that leaders announce themselves */
    int was_even;     /* no rank was late in the operation that was judged last */
    int judged;       /* number of judged operations, up to some dozens */
    int unjudged;     /* operations with announcements since the last judged one */
    int judge_after;  /* every how many-th of them is judged */
    int quiet;        /* operations since the last look */
    int look_after;   /* operations until the next look */
    int is_rare;      /* this look is due by time, not by operations */
    double last_look; /* seconds: the last operation with announcements, under any root */
};

enum { ARRIVALS_CLOCK = 8 }; /* operations from one reading of the clock to the next */

void hitop_arrivals_begin(struct arrivals *a);

/* Leaders announce themselves in this operation: does the root judge it? */
int hitop_arrivals_is_judged(struct arrivals *a);

/* A rank was late by `part` >= 0 of the unit of lateness; above 1 counts as 1. */
void hitop_arrivals_learn(struct arrivals *a, double part);

/*
 * Does the next call of hitop_arrivals_shall_announce() need the time? Reading the clock takes
 * longer than the rest of the call; in the other operations the caller passes last_look.
 */
static inline int arrivals_needs_time(const struct arrivals *a)
{
    return a->quiet % ARRIVALS_CLOCK == 0;
}

/*
 * Call once for each operation. Do leaders announce themselves in the next one? `now` is the time
 * in seconds; one look every `span` seconds costs almost nothing.
 */
int hitop_arrivals_shall_announce(struct arrivals *a, double now, double span);

#endif /* HITOP_ARRIVALS_H */
