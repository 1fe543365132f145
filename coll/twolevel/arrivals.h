/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_ARRIVALS_H
#define HITOP_ARRIVALS_H

/*
 * arrivals.h - what a root knows of the arrivals of ranks at its broadcasts, and whether leaders
 * announce themselves.
 *
 * Idea:   In an operation in which leaders announce themselves, the root judges how late the
 *         default leaders are. A score, the weighted mean of these judgements, decides. While the
 *         score is low, leaders do not announce themselves and the root learns nothing; so now and
 *         then they announce themselves in two operations in a row: a look. The second operation
 *         reports which default leader was late in the first. A look takes a round trip that
 *         operations in a row otherwise hide; looks that are due by the number of operations take
 *         at most 4 % of the time.
 * Source: the broadcasts P (default leaders) and CP (dynamic leaders) of Liu, Song et al., Journal
 *         of Software 22 (2011); here the root chooses one of the two. Pure: no MPI, no clock.
 */

struct arrivals {
    double score;    /* 0: all ranks arrive together; at most its first value */
    int pays;        /* the score is high: leaders announce themselves */
    int was_even;    /* no rank was late in the operation that was judged last */
    int judged;      /* number of judged operations; counted to 32 */
    int unjudged;    /* operations with announcements since the last judged one */
    int judge_after; /* one operation in this many is judged */
    int quiet;       /* operations since the last look */
    int look_after;  /* operations until the next look */
    int is_rare;     /* this look is due by time, not by operations */
    int is_second;   /* the next operation is the second one of a look */
    int noverruled;  /* last operations in a row in which other roots decided otherwise */
    double cost;     /* seconds of waiting in the last judged operation; 0: looks are not limited */
    double last_look; /* seconds: the last operation with announcements, under any root */
};

enum { ARRIVALS_CLOCK = 8 }; /* operations from one reading of the clock to the next */

/* Leaders announce themselves at first. */
void hitop_arrivals_begin(struct arrivals *a);

/*
 * Call first in each operation of this root: do leaders announce themselves in it, as the root of
 * the operation before decided? If this root would decide otherwise, it forgets what it knows and
 * follows: at once where it has judged no operation, else after two operations in a row. A look is
 * then assumed to take `cost` seconds.
 */
void hitop_arrivals_compare(struct arrivals *a, int announces, double cost);

/* Call in each operation in which leaders announce themselves: does the root judge it? */
int hitop_arrivals_is_judged(struct arrivals *a);

/*
 * The result of a judgement: the lateness in units, >= 0; above 1 it counts as 1. `cost`: seconds
 * for which the root waited for leaders.
 */
void hitop_arrivals_learn(struct arrivals *a, double part, double cost);

/*
 * Does the next call of hitop_arrivals_shall_announce() need the time? Reading the clock takes
 * longer than the rest of the call; in the other operations the caller passes last_look.
 */
static inline int arrivals_needs_time(const struct arrivals *a)
{
    return a->quiet % ARRIVALS_CLOCK == 0;
}

/*
 * Call once for each operation. Do leaders announce themselves in the next one? `now` and `span`
 * are in seconds: a look is also due `span` after the last one, because it then costs almost
 * nothing.
 */
int hitop_arrivals_shall_announce(struct arrivals *a, double now, double span);

#endif /* HITOP_ARRIVALS_H */
