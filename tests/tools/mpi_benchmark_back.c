/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_benchmark_back.c - a turn that does not count leaves a size as it was, but for what it costs.
 */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include <stdio.h>
#include <stdlib.h>

static int failures;

static void check(int good, const char *what)
{
    if (!good) {
        printf("FAIL: %s\n", what);
        failures++;
    }
}

/* Some times that are all the same, and the end of a pass. */
static void take(struct benchmark_size *z, int implementation, int n, double seconds)
{
    static struct benchmark_block block;

    block = (struct benchmark_block){.n = n, .rejected = 1, .own = n * seconds, .at_root = seconds};
    for (int i = 0; i < n; i++) {
        block.seconds[i] = seconds;
        block.last[i] = implementation;
    }
    check(benchmark_series_keep(&z->series[implementation], &block, 1, NULL) == HITOP_OK,
          "keeping times");
    check(benchmark_series_end_pass(&z->series[implementation], NULL) == HITOP_OK,
          "the end of a pass");
}

int main(void)
{
    struct benchmark_size z = {.bytes = 8, .per_block = 3, .batch = 2}, before;

    take(&z, 0, 5, 1);
    take(&z, 1, 7, 1);
    z.looks = 1;
    z.pair[0].nquads = 1;
    z.turn = 20;
    before = z;

    take(&z, 0, 200, 2); /* more memory than there was */
    take(&z, 1, 100, 2);
    z.looks = z.pair[0].nquads = z.since = 2;
    z.finished = z.converged = 1;
    z.spent = 3;
    z.turn = 400;
    z.series[0].wrong = 1;
    benchmark_size_take_back(&z, &before);
    check(z.series[0].n == 5 && z.series[1].n == 7, "times that do not count are kept");
    check(z.series[0].npasses == 1 && z.series[1].npasses == 1, "their pass is kept");
    check(z.series[0].discarded == 200 && z.series[1].discarded == 100, "they are not counted");
    check(z.series[0].rejected == 1 && z.series[0].ncalls == 5, "what belongs to them is kept");
    check(z.series[0].own == 5 && z.series[0].at_root == 1, "their sums are kept");
    check(z.looks == 1 && z.pair[0].nquads == 1 && z.since == 0, "looks at them count");
    check(!z.finished && !z.converged, "the size is finished by them");
    check(z.spent == 0, "their time counts");
    check(z.turn == 400 && z.series[0].wrong == 1,
          "what they found wrong is forgotten, or repeated");

    take(&z, 0, 3, 4); /* goes on behind what counts */
    check(z.series[0].n == 8 && z.series[0].seconds[4] == 1 && z.series[0].seconds[5] == 4,
          "what comes later is in the wrong place");
    check(z.series[0].npasses == 2 && z.series[0].ends[1] == 8, "its pass ends elsewhere");
    benchmark_size_take_back(&z, &before);
    check(z.series[0].discarded == 203, "repetitions that do not count are not summed up");
    for (int implementation = 0; implementation < 2; implementation++) {
        free(z.series[implementation].seconds);
        free(z.series[implementation].spread);
        free(z.series[implementation].last);
        free(z.series[implementation].ends);
    }
    return failures > 0;
}
