/* SPDX-License-Identifier: BSD-3-Clause */
/* busy.c - see busy.h. */
#include <config.h>

#include "bench/busy.h"

#include "bench/one_clock.h"
#include "models/fit/quantile.h"

enum { TRIALS = 101 };

static volatile double kept; /* keeps the compiler from removing the work */
static double rounds_per_second;

static void go_round(double rounds)
{
    double x = kept;

    for (double i = 0; i < rounds; i++) {
        x = 1.0 / (1.0000001 + x);
    }
    kept = x;
}

void busy_calibrate(void)
{
    const double rounds = 2e4; /* some 100 us: most trials are undisturbed */
    double rates[TRIALS];

    kept = 0.5;
    for (int i = 0; i < TRIALS; i++) {
        const double start = one_clock_now();
        go_round(rounds);
        rates[i] = rounds / (one_clock_now() - start);
    }
    rounds_per_second = quantile(rates, TRIALS, 0.9);
}

void busy_delay(double start, double seconds, int compute)
{
    if (seconds > 0 && compute) {
        go_round(seconds * rounds_per_second);
    } else if (seconds > 0) {
        one_clock_wait(start + seconds, MPI_COMM_NULL);
    }
}
