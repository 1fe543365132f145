/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUIET_H
#define QUIET_H

/*
 * quiet.h - whether others use the machine, and keeping them away for a moment.
 *
 * A canary is 300 ping-pongs between ranks 0 and 1 through shared memory. A measurement between two
 * of them counts when both took 0.7 to 1.35 of their usual time: longer, and another program had a
 * processor; shorter, and the two virtual processors have become threads of one core. There is none
 * where the ranks are not on one host, or do not have a processor each. Where it stays so, that is
 * what is usual from then on.
 */

#include "bench/together.h"

struct quiet {
    struct together *ranks;
    int alone;    /* quiet_begin() raises the priority */
    double usual; /* seconds of a round trip; 0: no canary */
    int is_given; /* by the user */
    double last;  /* and what it took last */
    unsigned long rounds;
    double busy,
        own; /* seconds of processors, of the machine and of these ranks, at quiet_watch() */
    double since;
};

/*
 * `usual` is the round trip of a quiet machine in seconds; 0: the median of 401 from now; negative:
 * no canary. Collective. The ranks are borrowed.
 */
void quiet_init(struct quiet *q, struct together *ranks, int alone, double usual);

/*
 * With priority `alone`, real-time where every rank has a processor, else nice -20, up to
 * quiet_end(), which then sleeps as long. Ends the job where that is not allowed.
 */
void quiet_begin(const struct quiet *q);
void quiet_end(const struct quiet *q, double seconds);

/* 1 on all ranks when the canary is as usual; collective. */
int quiet_is(struct quiet *q);

/* Nothing has been as usual for long: find out what is, unless the user has said so. Collective. */
void quiet_learn(struct quiet *q);

/*
 * From quiet_watch() to quiet_foreign(): the share of the machine's processors that others used.
 * Collective.
 */
void quiet_watch(struct quiet *q);
double quiet_foreign(struct quiet *q);

#endif /* QUIET_H */
