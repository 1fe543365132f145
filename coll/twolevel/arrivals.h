/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_ARRIVALS_H
#define HITOP_ARRIVALS_H

/*
 * arrivals.h - what a root knows of how processes come to its broadcasts, and whether leaders shall
 * announce themselves.
 *
 * Idea:   operations in which leaders do announce themselves are judged: by how long somebody was
 *         late who would lead otherwise. A score of that decides. While it says that all come
 *         together nobody announces himself, and nothing is seen; hence now and then it looks
 *         again, in two operations in a row, of which the second hears who was late to the first.
 * Source: the switch between the P and the CP broadcasts of Liu, Song et al., Journal of Software
 *         22 (2011), made while the program runs. Pure: no MPI, no clock.
 */

struct arrivals {
    double score;     /* 0 all come together .. what it is at first */
    int pays;         /* by that score, leaders shall announce themselves */
    int was_even;     /* nobody was late in the operation that was judged last */
    int judged;       /* operations that were, up to some dozens of them */
    int unjudged;     /* in which leaders announced themselves, since the last one that was */
    int judge_after;  /* so many of them is the next one */
    int quiet;        /* operations since the last look */
    int look_after;   /* so many of them is the next look */
    int is_rare;      /* time has brought this look about */
    double last_look; /* seconds: when leaders last announced themselves, to whichever root */
};

enum { ARRIVALS_CLOCK = 8 }; /* operations between two in which it matters what time it is */

void hitop_arrivals_begin(struct arrivals *a);

/* Leaders announce themselves: is this one of the operations that are judged? */
int hitop_arrivals_is_judged(struct arrivals *a);

/* Somebody was late in it by `part` of what counts as much, >= 0; above 1 is as 1. */
void hitop_arrivals_learn(struct arrivals *a, double part);

/*
 * Is the next one to say what time it is? To ask for that takes longer than all else; otherwise
 * last_look will do.
 */
static inline int arrivals_needs_time(const struct arrivals *a)
{
    return a->quiet % ARRIVALS_CLOCK == 0;
}

/*
 * Once for each operation: shall leaders announce themselves in the next one? It is `now`, in
 * seconds, and who looks every `span` seconds hardly pays for it.
 */
int hitop_arrivals_shall_announce(struct arrivals *a, double now, double span);

#endif /* HITOP_ARRIVALS_H */
