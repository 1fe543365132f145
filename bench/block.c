/* SPDX-License-Identifier: BSD-3-Clause */
/* block.c - see block.h. */
#include <config.h>

#include "bench/block.h"

#include "bench/one_clock.h"
#include "models/fit/quantile.h"

enum { LONGEST = 100000, TRIALS = 4 };

#define LATE 1e9 /* instead of seconds */

const char *const block_mode_names[BLOCK_NMODES] = {"rot", "sync", "b2b"};

static void operate(struct checked *c, const struct coll_functions *by, int root, int turn)
{
    checked_write(c, turn, root);
    checked_call(c, by, root);
    checked_look(c, turn, root);
}

/* Before and afterwards ranks wait in a way that gives processors away: not all MPI libraries do.
 */
static double back_to_back(const struct block *b, struct checked *c, struct together *ranks,
                           const struct coll_functions *by)
{
    double seconds;

    /* a broadcast's next root has just received what it sends */
    c->sparingly = b->mode == BLOCK_ROT && c->operation == &hitop_operations()[HITOP_BCAST];
    (void)together_start(ranks, 0);
    operate(c, by, b->root, 0); /* absorbs the skew of that */
    seconds = one_clock_now();
    for (int i = 0; i < b->n; i++) {
        operate(c, by, b->mode == BLOCK_ROT ? i % c->size : b->root, i);
    }
    seconds = (one_clock_now() - seconds) / b->n;
    (void)together_start(ranks, 0);
    PMPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, c->comm);
    return seconds;
}

/* Of the middle half. */
static double middle_mean(double *values, int n)
{
    const int first = n / 4, end = n - n / 4;
    double sum = 0;

    (void)quantile(values, n, 0.5); /* in order */
    for (int i = first; i < end; i++) {
        sum += values[i];
    }
    return sum / (end - first);
}

static double synchronised(const struct block *b, struct checked *c, struct together *ranks,
                           const struct coll_functions *by)
{
    static double took[LONGEST]; /* this rank, then the slowest one */
    int valid = 0;

    c->sparingly = 0;
    for (int i = 0; i < b->n; i++) {
        double start, began;

        checked_write(c, i, b->root);
        start = together_start(ranks, b->lead);
        began = one_clock_wait(start, c->comm);
        checked_call(c, by, b->root);
        took[i] = one_clock_now() - began;
        took[i] = began > start + 0.1 * b->lead ? LATE : took[i];
        checked_look(c, i, b->root);
    }
    PMPI_Allreduce(MPI_IN_PLACE, took, b->n, MPI_DOUBLE, MPI_MAX, c->comm);
    for (int i = 0; i < b->n; i++) {
        if (took[i] < LATE) { /* all ranks started in time */
            took[valid++] = took[i];
        }
    }
    return valid >= (b->n + 3) / 4 ? middle_mean(took, valid) : -1;
}

static double run(const struct block *b, struct checked *c, struct together *ranks,
                  const struct coll_functions *by)
{
    return b->mode == BLOCK_SYNC ? synchronised(b, c, ranks, by) : back_to_back(b, c, ranks, by);
}

double block_run(const struct block *b, struct checked *c, struct together *ranks,
                 const struct coll_functions *by)
{
    const double seconds = run(b, c, ranks, by);

    return seconds > 0 ? seconds - b->idle : seconds;
}

/* What operations take that are none: the least of some trials, of which others disturb some. */
static double idle_seconds(const struct block *b, struct checked *c, struct together *ranks)
{
    const unsigned long long wrong = c->wrong;
    double least = 0;

    for (int i = 0; i < TRIALS; i++) {
        const double seconds = run(b, c, ranks, NULL);
        least = seconds > 0 && (least == 0 || seconds < least) ? seconds : least;
    }
    c->wrong = wrong; /* nothing has come */
    return least;
}

/* One operation up to the last rank, by the way of a barrier, with its data: an upper bound. */
static double time_with_barrier(const struct block *b, struct checked *c,
                                const struct coll_functions *by)
{
    double seconds;

    PMPI_Barrier(c->comm);
    seconds = one_clock_now();
    operate(c, by, b->root, 0);
    PMPI_Barrier(c->comm);
    seconds = one_clock_now() - seconds;
    PMPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, c->comm);
    return seconds;
}

struct block block_plan(enum block_mode mode, int root, double seconds, struct checked *c,
                        struct together *ranks, const struct coll_functions *by)
{
    struct block b = {.mode = mode, .root = root, .n = 2 * c->size};
    double best = 1e9, n; /* the others were disturbed */

    for (int i = 0; i < TRIALS; i++) {
        const double t =
            mode == BLOCK_SYNC ? time_with_barrier(&b, c, by) : back_to_back(&b, c, ranks, by);
        best = t < best ? t : best;
    }
    b.lead = ranks->base && !ranks->oversubscribed ? 2e-6 : 1.2 * best + 100e-6;
    n = seconds / (mode == BLOCK_SYNC ? best + b.lead : best);
    b.n = (int)(n < 3 ? 3 : n > LONGEST ? LONGEST : n);
    b.idle = mode == BLOCK_B2B ? 0 : idle_seconds(&b, c, ranks);
    return b;
}
