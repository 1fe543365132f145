/* SPDX-License-Identifier: BSD-3-Clause */
/* node_row.c - few steps of piece sizes that lose least against the best piece of every size. */
#include <config.h>

#include "node_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 3 };

const size_t node_row_pieces[NWAYS][NPIECES] = {
    {4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10},
    {32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10},
};

static double times[NSIZES][NWAYS][NPIECES];

/* What pieces of kind `piece` lose over sizes [first, end): sum of logarithms. */
static double loss(int way, int piece, int first, int end)
{
    double sum = 0;

    for (int i = first; i < end; i++) {
        double best = INFINITY;
        for (int k = 0; k < NPIECES; k++) {
            best = times[i][way][k] < best ? times[i][way][k] : best;
        }
        sum += log(times[i][way][piece] / best);
    }
    return sum;
}

/* At most `steps` steps over sizes [first, NSIZES) that lose least: prints them. A step must be worth a percent a size. */
static double choose(int way, int first, int steps, int print)
{
    double least = INFINITY;
    int best_end = NSIZES, best_piece = 0;

    for (int end = steps > 1 ? first + 1 : NSIZES; end <= NSIZES; end++) {
        for (int k = 0; k < NPIECES; k++) {
            double l = loss(way, k, first, end);
            l += end < NSIZES ? 0.01 * NSIZES + choose(way, end, steps - 1, 0) : 0;
            if (l < least) {
                least = l;
                best_end = end;
                best_piece = k;
            }
        }
    }
    if (print) {
        if (best_end < NSIZES) {
            printf("{KIB(%zu), KIB(%zu)}, ", node_row_size(best_end - 1) >> 10,
                   node_row_pieces[way][best_piece] >> 10);
            (void)choose(way, best_end, steps - 1, 1);
        } else {
            printf("{ANY, KIB(%zu)}", node_row_pieces[way][best_piece] >> 10);
        }
    }
    return least;
}

static double best_of(int size, int way)
{
    double best = INFINITY;

    for (int k = 0; k < NPIECES; k++) {
        best = times[size][way][k] < best ? times[size][way][k] : best;
    }
    return best;
}

void node_row_print(int nprocs, int alone, double measured[NSIZES][NWAYS][NPIECES])
{
    int from = NSIZES;

    memcpy(times, measured, sizeof(times));
    printf("%10s", "size_B");
    for (int k = 0; k < NWAYS * NPIECES; k++) {
        printf(" %4s%4zuK_us", k < NPIECES ? "ring" : "pull",
               node_row_pieces[k / NPIECES][k % NPIECES] >> 10);
    }
    for (int i = 0; i < NSIZES; i++) {
        printf("\n%10zu", node_row_size(i));
        for (int k = 0; k < NWAYS * NPIECES; k++) {
            printf(" %12.2f", times[i][k / NPIECES][k % NPIECES]);
        }
    }
    while (from > 0 && best_of(from - 1, PULL) < best_of(from - 1, RING)) {
        from--;
    }
    printf("\n\n    {.nranks = %d, .alone = %d, .fragment = (const struct hitop_piece[]){", nprocs,
           alone);
    (void)choose(RING, 0, STEPS, 1);
    if (from < NSIZES) {
        printf("},\n     .pull_from = KIB(%zu), .chunk = (const struct hitop_piece[]){",
               node_row_size(from) >> 10);
        (void)choose(PULL, from, STEPS - 1, 1);
        printf("}},\n");
    } else {
        printf("},\n     .pull_from = ANY},\n");
    }
}
