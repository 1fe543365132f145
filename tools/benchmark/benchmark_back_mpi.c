/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_back_mpi.c - times of a size that do not count after all. */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include <string.h>

/* Back to what it was, but for its memory, and for those that are told of. */
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

    for (int way = 0; way < 2; way++) {
        take_back(&now.series[way], &before->series[way]);
    }
    *z = *before;
    memcpy(z->series, now.series, sizeof(z->series));
    z->turn = now.turn;
    z->wrong = now.wrong;
}
