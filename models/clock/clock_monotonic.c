/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_monotonic.c - the clock that all processes of a host share and that is never set. */
#include <config.h>

#include "models/clock/clock.h"

#include <time.h>

static double now(void *self)
{
    struct timespec t;

    (void)self;
#ifdef CLOCK_MONOTONIC_RAW
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &t);
#else
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct hitop_clock hitop_clock_monotonic(void)
{
    return (struct hitop_clock){now, NULL};
}
