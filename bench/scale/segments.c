/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments.c - processor time of fitting lines to points, by the number of points.
 *
 * Points are those of three protocols with 1 % noise at equal ratios up to 8 MiB. Of the times of
 * all tries the median counts.
 *
 *     segments [tries]
 */
#include "models/fit/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 1000, MAX_TRIES = 1000 };

/* Of the processor: it is not late where others use the machine. */
static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double truth(double bytes)
{
    return bytes < 4096    ? 1e-6 + 0.6e-9 * bytes
           : bytes < 65536 ? 3e-6 + 0.25e-9 * bytes
                           : 6e-6 + 0.085e-9 * bytes;
}

/* Sizes at equal ratios, but at least one byte apart. */
static void make_points(struct hitop_point *points, size_t n)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++) {
        const double wanted = exp2(23.0 * (double)i / (double)n);
        const double t = truth((double)bytes) * (1 + 0.02 * (rand() / (double)RAND_MAX - 0.5));
        points[i] = (struct hitop_point){.bytes = bytes, .seconds = t, .se = 0.006 * t};
        bytes = (double)bytes + 1 > wanted ? bytes + 1 : (size_t)wanted;
    }
}

int main(int argc, char **argv)
{
    static const size_t counts[] = {12, 50, 100, 200, 500, LARGEST};
    static struct hitop_point points[LARGEST];
    static double seconds[MAX_TRIES];
    const int wanted = argc > 1 ? atoi(argv[1]) : 21;
    const int tries = wanted < 1 ? 1 : wanted > MAX_TRIES ? MAX_TRIES : wanted;

    printf("points  lines  median_ms\n");
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        size_t found = 0;
        for (int k = 0; k < tries; k++) {
            struct hitop_segment segment[HITOP_MAX_SEGMENTS];
            struct hitop_diag diag = HITOP_DIAG_INIT;
            double start;
            make_points(points, counts[i]);
            start = now();
            if (hitop_segments(points, counts[i], 0.95, segment, &found, &diag) != HITOP_OK) {
                fprintf(stderr, "segments: %s\n", diag.message);
                return 1;
            }
            seconds[k] = now() - start;
        }
        printf("%6zu  %5zu  %9.3f\n", counts[i], found, 1e3 * hitop_median_of(seconds, tries));
    }
    return 0;
}
