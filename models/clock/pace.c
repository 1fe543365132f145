/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - see pace.h. */
#include <config.h>

#include "models/clock/pace.h"

#include "models/fit/quantile.h"

enum { STEPS = 5000 };

/* Elements of the vectors of the normalised time; products between two readings of the clock. */
enum { ELEMENTS = 1000, PRODUCTS = 20, PIECES = 31 };

/* Fraction of the pieces that counts: in longer ones another process had the processor. */
static const double most = 0.9;

/*
 * Three independent sums, so that the processor can overlap them; the compiler cannot predict the
 * result.
 */
static void work(void)
{
    unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

    for (unsigned long i = 0; i < STEPS; i++) {
        a += i;
        b ^= a;
        c += i;
        d ^= c;
        e += i;
        f ^= e;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
}

double hitop_benchmark_pace(const struct hitop_clock *clock, int pieces)
{
    double took[BENCHMARK_PACE_MOST];

    for (int i = 0; i < pieces; i++) {
        const double begin = clock->now(clock->self);
        work();
        took[i] = clock->now(clock->self) - begin;
    }
    return quantile(took, pieces, most);
}

/* The memory clobber keeps the compiler from computing one product for all. */
static double products(const double *x, const double *y)
{
    double sum = 0;

    for (int k = 0; k < PRODUCTS; k++) {
        __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
        for (int i = 0; i < ELEMENTS; i++) {
            sum += x[i] * y[i];
        }
    }
    return sum;
}

double hitop_benchmark_normalised_time(const struct hitop_clock *clock)
{
    double x[ELEMENTS], y[ELEMENTS], took[PIECES];
    volatile double sum = 0;

    for (int i = 0; i < ELEMENTS; i++) {
        x[i] = 1 + i % 7;
        y[i] = 1 + i % 11;
    }
    for (int i = 0; i < PIECES; i++) {
        const double begin = clock->now(clock->self);
        sum = sum + products(x, y);
        took[i] = (clock->now(clock->self) - begin) / PRODUCTS;
    }
    return quantile(took, PIECES, 0.5);
}
