/* SPDX-License-Identifier: BSD-3-Clause */
/* ticks.c - see ticks.h. */
#include <config.h>

#include "bench/ticks.h"

#include "models/clock/clock.h"

#include <stdio.h>
#include <string.h>

#define SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

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
static double look(const struct hitop_clock *clock, uint64_t *ticks)
{
    enum { LOOKS = 16 };
    double at = 0, least = 1;

    for (int i = 0; i < LOOKS; i++) {
        const double before = clock->now(clock->self);
        const uint64_t now = ticks_now();
        const double took = clock->now(clock->self) - before;

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
    const struct hitop_clock clock = hitop_clock_monotonic();
    uint64_t first = 0, last = 1;
    const double start = look(&clock, &first);

    while (clock.now(clock.self) < start + 10e-3) {
    }
    return (look(&clock, &last) - start) / (double)(last - first);
}
