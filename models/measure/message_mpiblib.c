/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message_mpiblib.c - the adaptive walk of MPIBlib over message sizes.
 *
 * Idea:    a step forward that doubles as long as the newest time is on the line through the two before
 *          it; else the step is halved and taken back, until it is the smallest.
 * Use:     to have the sizes that MPIBlib had. Its defects are kept, because they decide which ones: the place of
 *          the newest time among the others is not moved back with the step, so that a size may be measured
 *          twice, and then lies on the line by definition; so the walk goes on before it knows where a jump is.
 * Source:  A. Lastovetsky, V. Rychkov and M. O'Flynn, MPIBlib: Benchmarking MPI communications for parallel
 *          computing on homogeneous and heterogeneous clusters, EuroPVM/MPI (2008), for the options.
 */
#include <config.h>

#include "models/measure/message_mpiblib.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A walk under way. */
struct walk {
    const struct hitop_message_set *set;
    struct hitop_message *sorted; /* by size but for those measured after a step back */
    size_t n, place;              /* that of the newest */
    size_t bytes, step;
};

/* Whether the newest time is on the line through the two before it. */
static int is_straight(const struct walk *w)
{
    const struct hitop_message *newest = &w->sorted[w->place];

    return w->place >= 2 && newest[-2].bytes != newest[-1].bytes &&
           hitop_message_deviation(&newest[-2], &newest[-1], newest) < w->set->max_diff;
}

/* 0 when that would be beyond the largest size. */
static int go_forward(struct walk *w)
{
    if (w->step > w->set->max_size - w->bytes) {
        return 0;
    }
    w->bytes += w->step;
    do {
        w->place++;
    } while (w->place < w->n && w->sorted[w->place].bytes < w->bytes);
    return 1;
}

static int go_on(struct walk *w)
{
    if (is_straight(w)) {
        w->step = w->step > SIZE_MAX / 2 ? SIZE_MAX : 2 * w->step;
    } else if (w->step / 2 > w->set->min_stride) {
        w->step /= 2;
        w->bytes -= w->step;
        return 1;
    }
    return go_forward(w);
}

static void insert(struct walk *w, const struct hitop_message *m)
{
    struct hitop_message *at = &w->sorted[w->place];

    memmove(at + 1, at, (w->n - w->place) * sizeof(*at));
    *at = *m;
    w->n++;
}

enum hitop_status message_mpiblib_walk(
    const struct hitop_message_set *set,
    enum hitop_status (*time)(void *data, size_t bytes, double *seconds, struct hitop_diag *diag),
    void *data, struct hitop_message *out, size_t *n, struct hitop_diag *diag)
{
    struct walk w = {.set = set, .bytes = set->min_size, .step = set->min_stride};
    enum hitop_status status = HITOP_OK;
    int goes_on = 1;

    w.sorted = calloc(set->max_num, sizeof(*w.sorted));
    if (!w.sorted) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory for %zu", set->max_num);
    }
    while (goes_on && w.n < set->max_num) {
        if (w.place == w.n || w.sorted[w.place].bytes != w.bytes) {
            struct hitop_message *m = &out[w.n];
            m->bytes = w.bytes;
            status = time(data, m->bytes, &m->seconds, diag);
            if (status != HITOP_OK) {
                break;
            }
            insert(&w, m);
        }
        goes_on = go_on(&w);
    }
    *n = w.n;
    free(w.sorted);
    return status;
}
