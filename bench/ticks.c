/* SPDX-License-Identifier: BSD-3-Clause */
/* ticks.c - see ticks.h. */
#include <config.h>

#include "ticks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int ticks_are_common(void)
{
    char source[16] = "";
    FILE *in = TICKS_ARE_KNOWN ? fopen(SOURCE, "re") : NULL;

    if (in) {
        (void)fgets(source, sizeof(source), in);
        (void)fclose(in);
    }
    return strcmp(source, "tsc\n") == 0;
}

/* Both clocks at one moment: of some looks the one that nothing interrupted. */
static double look(uint64_t *ticks)
{
    enum { LOOKS = 16 };
    double at = 0, least = 1;

    for (int i = 0; i < LOOKS; i++) {
        const double before = seconds();
        const uint64_t now = ticks_now();
        const double took = seconds() - before;

        if (took < least) {
            least = took;
            at = before + took / 2;
            *ticks = now;
        }
    }
    return at;
}

double ticks_measure(void)
{
    uint64_t first = 0, last = 1;
    const double start = look(&first);

    while (seconds() < start + 10e-3) {
    }
    return (look(&last) - start) / (double)(last - first);
}
