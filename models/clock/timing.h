/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMING_H
#define TIMING_H

/*
 * timing.h - timing methods: what "the time" of a repetition of an operation of all ranks is.
 *
 * A method defines how ranks start, and which facts of the ranks give the time. To add a method,
 * write timing_<name>.c after timing_max.c and add clock/timing_<name> to TIMINGS in
 * models/Makefile.am.
 */

#include "models/clock/clock.h"

/* Readings of a rank's clock: at the call, at the return, and behind a confirming barrier. */
struct hitop_timing_stamp {
    double called, returned, confirmed;
};

/*
 * A repetition on one rank, or of each member the largest value over all ranks; in seconds. A
 * reduction with MPI_MAX of these doubles combines ranks. Common time is that of rank 0's clock.
 */
struct hitop_timing_facts {
    double began;       /* common time at which the rank calls the operation */
    double minus_began; /* the same times -1: its largest value is that of the first rank */
    double ended;       /* common time at which the operation returns */
    double took;        /* from the call to the return, by the clock of the rank */
    double root_began;  /* common time, at the root; -HUGE_VAL on other ranks */
    /*
     * At the root, by its clock: the operation and, if the method confirms, the barrier behind it
     * less the time of a barrier; -HUGE_VAL on other ranks.
     */
    double root_took;
};

enum { TIMING_FACTS = sizeof(struct hitop_timing_facts) / sizeof(double) };

struct hitop_timing {
    const char *name;
    const char *summary; /* what the time is: "from ... to ..." */
    int barriers;        /* before each repetition; 0: ranks begin at a start time in common time */
    int confirms;        /* 1: a barrier follows the operation, and its time is subtracted */
    int allows_delays;   /* 1: is defined where ranks arrive late on purpose */
    double (*seconds)(const struct hitop_timing_facts *largest);
};

/* The methods of the registry; the last one is NULL. */
extern const struct hitop_timing *const hitop_timings[];

/* The default, and the method that replaces it if ranks miss start times. */
extern const struct hitop_timing hitop_timing_window, hitop_timing_one_barrier;

/* HITOP_ERR_NOTFOUND: no method has that name; the message lists all. */
HITOP_MUST_CHECK enum hitop_status
hitop_timing_find(const char *name, const struct hitop_timing **out, struct hitop_diag *diag);

/*
 * The facts of one rank. `line` leads from its clock to common time; `barrier` is the time of a
 * barrier on this rank, 0 if the method does not confirm.
 */
struct hitop_timing_facts hitop_timing_facts_of(const struct hitop_timing_stamp *stamp,
                                                const struct hitop_clock_line *line, double barrier,
                                                int is_root);

/* The facts of a rank that does not count: they change no largest value. */
struct hitop_timing_facts hitop_timing_no_facts(void);

#endif /* TIMING_H */
