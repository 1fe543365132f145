/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_series_mpi.c - the times of one size by one implementation, while they grow. */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include <stdlib.h>
#include <string.h>

/* Room for n times. */
static enum hitop_status grow(struct benchmark_series *s, int n, struct hitop_diag *diag)
{
    const size_t wanted = 2 * (size_t)n;
    double *seconds = realloc(s->seconds, wanted * sizeof(*seconds)), *spread;
    int *last;

    s->seconds = seconds ? seconds : s->seconds;
    spread = realloc(s->spread, wanted * sizeof(*spread));
    s->spread = spread ? spread : s->spread;
    last = realloc(s->last, wanted * sizeof(*last));
    s->last = last ? last : s->last;
    if (!seconds || !spread || !last) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %zu times", wanted);
    }
    s->capacity = (int)wanted;
    return HITOP_OK;
}

void benchmark_series_drop(struct benchmark_series *s)
{
    s->n = s->npasses = 0;
    s->ncalls = 0;
    s->own = s->at_root = 0;
}

enum hitop_status benchmark_series_keep(struct benchmark_series *s, const struct benchmark_block *b,
                                        int is_kept_here, struct hitop_diag *diag)
{
    if (b->restarted) {
        benchmark_series_drop(s);
    }
    if (is_kept_here && s->n + b->n > s->capacity) {
        const enum hitop_status status = grow(s, s->n + b->n, diag);
        if (status != HITOP_OK) {
            return status;
        }
    }
    if (is_kept_here) {
        memcpy(s->seconds + s->n, b->seconds, (size_t)b->n * sizeof(*s->seconds));
        memcpy(s->spread + s->n, b->spread, (size_t)b->n * sizeof(*s->spread));
        memcpy(s->last + s->n, b->last, (size_t)b->n * sizeof(*s->last));
    }
    s->n += b->n;
    s->rejected += b->rejected;
    s->own += b->own;
    s->at_root += b->at_root;
    s->ncalls += b->n;
    return HITOP_OK;
}

enum hitop_status benchmark_series_end_pass(struct benchmark_series *s, struct hitop_diag *diag)
{
    if (s->npasses > 0 && s->ends[s->npasses - 1] == s->n) {
        return HITOP_OK;
    }
    if (s->npasses == s->most_passes) {
        const int most = 2 * s->most_passes + 8;
        int *ends = realloc(s->ends, (size_t)most * sizeof(*ends));
        if (!ends) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d passes", most);
        }
        s->ends = ends;
        s->most_passes = most;
    }
    s->ends[s->npasses++] = s->n;
    return HITOP_OK;
}

/* Restore the earlier state, except for the memory and the counters of the report. */
static void take_back(struct benchmark_series *s, const struct benchmark_series *before)
{
    s->discarded += s->n > before->n ? s->n - before->n : 0;
    s->n = before->n;
    s->npasses = before->npasses;
    s->rejected = before->rejected;
    s->own = before->own;
    s->at_root = before->at_root;
    s->ncalls = before->ncalls;
}

void benchmark_size_take_back(struct benchmark_size *z, const struct benchmark_size *before)
{
    struct benchmark_size now = *z;

    for (int implementation = 0; implementation < BENCHMARK_IMPLEMENTATIONS; implementation++) {
        take_back(&now.series[implementation], &before->series[implementation]);
    }
    *z = *before;
    memcpy(z->series, now.series, sizeof(z->series));
    z->turn = now.turn;
}
