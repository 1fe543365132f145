/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WORKERS_H
#define WORKERS_H

/*
 * workers.h - pairs of ranks measured on the order of rank 0, as many at once as share no rank and
 * do not disturb each other.
 */

#include "models/discover/latency_table.h"

#include "hitop/measure.h"

/* A pair to measure until the interval of its median has this relative half width. */
struct wish {
    int a, b;
    double half_width;
};

struct workers {
    const struct hitop_transport *t;
    struct hitop_measure_options options; /* one size */
    int nrooms;                           /* most pairs in a batch: half the ranks */
    struct batch_link *links;
    struct hitop_point *points;
    unsigned char *is_busy;                               /* per rank, of rank 0 only */
    int tested;                                           /* more at once than this need a test */
    int at_once;                                          /* so many may run */
    void (*progress)(void *data, int npairs, int nranks); /* at rank 0, after each batch; or NULL */
    void *data;
    int is_lost; /* communication failed: no rank serves any more */
};

/* All processes call it; release with hitop_workers_clear() in any case. */
enum hitop_status hitop_workers_init(struct workers *workers, const struct hitop_transport *t,
                                     int max_samples, int parallel, unsigned long long seed,
                                     struct hitop_diag *diag);

void hitop_workers_clear(struct workers *workers);

/*
 * Rank 0, or the process that plays all ranks: measure wishes in batches, in about so many seconds,
 * and note the results in the table. Wishes are reordered.
 */
enum hitop_status hitop_workers_measure(struct workers *workers, struct wish *wishes, int n,
                                        double seconds, struct latency_table *table,
                                        struct hitop_diag *diag);

/* All other ranks: do what rank 0 orders until it dismisses. */
enum hitop_status hitop_workers_serve(struct workers *workers, struct hitop_diag *diag);

/* Rank 0: end the others' hitop_workers_serve(), with an error if failed. */
enum hitop_status hitop_workers_dismiss(struct workers *workers, int failed,
                                        struct hitop_diag *diag);

#endif /* WORKERS_H */
