/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - see waits.h. */
#include <config.h>

#include "bench/waits.h"

#include <stddef.h>

/* Times of one call, `calls` numbers apart. */
struct call {
    const struct hitop_operation *operation;
    const double *came, *left;
    int ranks, calls, root;
};

static double at(const struct call *c, const double *times, int rank)
{
    return times[(size_t)rank * (size_t)c->calls];
}

static double last_arrival(const struct call *c, double *first)
{
    double last = at(c, c->came, 0);

    *first = last;
    for (int r = 1; r < c->ranks; r++) {
        const double came = at(c, c->came, r);
        last = came > last ? came : last;
        *first = came < *first ? came : *first;
    }
    return last;
}

/* A rank that needs no data of later ranks leaves at once. */
static double least_of(const struct call *c, int rank, double last)
{
    const unsigned flags = c->operation->flags;
    const double came = at(c, c->came, rank);
    double need = last;

    if (flags & HITOP_ROOT_BRINGS) {
        need = at(c, c->came, c->root);
    } else if (flags & HITOP_ROOT_TAKES && rank != c->root) {
        need = came;
    }
    return need > came ? need - came : 0;
}

static double largest(const double *values, int n)
{
    double max = 0;

    for (int i = 0; i < n; i++) {
        max = values[i] > max ? values[i] : max;
    }
    return max;
}

struct waits waits_of(const struct hitop_operation *operation, int ranks, int calls,
                      const double *came, const double *left, const int *root, double *scratch)
{
    double *sums = scratch, *least = scratch + ranks;
    struct waits w = {0};

    for (int r = 0; r < 2 * ranks; r++) {
        scratch[r] = 0;
    }
    for (int i = 0; i < calls; i++) {
        const struct call c = {operation, came + i, left + i, ranks, calls, root[i]};
        double first, longest = 0;
        const double last = last_arrival(&c, &first);
        for (int r = 0; r < ranks; r++) {
            const double time = at(&c, c.left, r) - at(&c, c.came, r);
            const double must = least_of(&c, r, last);
            sums[r] += time / calls;
            least[r] += must / calls;
            w.of[WAIT_MEAN] += time / calls / ranks;
            w.of[WAIT_MEAN_LEAST] += must / calls / ranks;
            w.of[WAIT_ROOT] += r == root[i] ? time / calls : 0;
            longest = time > longest ? time : longest;
        }
        w.of[WAIT_MAX] += longest / calls;
        w.of[WAIT_SPREAD] += (last - first) / calls;
    }
    w.of[WAIT_PAPER] = largest(sums, ranks);
    w.of[WAIT_PAPER_LEAST] = largest(least, ranks);
    return w;
}
