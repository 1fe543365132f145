/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMETABLE_H
#define TIMETABLE_H

/* timetable.h - which links and sizes are visited at once, and which one after the other. */

#include "models/measure/concurrency.h"
#include "models/measure/link_jobs.h"
#include "models/measure/measure_impl.h"

/* Links first, first + step, ... below last. */
struct concurrent_batch {
    int first, last, step;
    struct size_range sizes;
    int unfinished;  /* 1 while a link of it has unfinished jobs */
    double expected; /* seconds of the next visit; 0 before the first one */
};

/* Rounds that are alike. */
struct phase {
    int first, last;                           /* the links of its first round */
    struct hitop_interference interference[2]; /* of latency sizes, and of bandwidth sizes */
};

struct timetable {
    struct concurrent_batch *batch; /* [n] */
    int n;
    struct phase *phase; /* [nphases] */
    int nphases;
    size_t latency[2], bandwidth[2]; /* sizes that are compared; latency sizes end at latency[1] */
    double deadline;                 /* of the transport's clock; 0: none */
    int was_ended;                   /* it came, or an interruption, before all was found out */
    double tests_end; /* of the same clock: tests end, and links are measured one by one */
    int no_tests;     /* that time has come */
};

static inline int batch_width(const struct concurrent_batch *w)
{
    return (w->last - w->first + w->step - 1) / w->step;
}

/* Test which links may run at once, while there is time and no interruption, and plan the
 * concurrent batches of one pass over all links. All processes call it and get the same plan; to be
 * closed, also on failure. */
enum hitop_status hitop_timetable_plan(struct timetable *table, const struct hitop_transport *t,
                                       const struct hitop_link *links, int nlinks,
                                       const struct hitop_measure_options *options, double deadline,
                                       struct hitop_diag *diag);
void hitop_timetable_close(struct timetable *table);

/* Find out once more how much links in company were slowed, until a time of the transport's clock;
 * the ratios in the phases become what is seen now, where that is worse. All processes call it. */
enum hitop_status hitop_timetable_check(struct timetable *table, const struct hitop_transport *t,
                                        const struct hitop_link *links,
                                        const struct hitop_measure_options *options, double end,
                                        struct hitop_diag *diag);

#endif /* TIMETABLE_H */
