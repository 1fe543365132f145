/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

/* draw.h - random numbers that HITOP_TEST_SEED repeats. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* First state; the seed is printed, so that a failure can be repeated. */
static inline uint64_t draw_seed(void)
{
    const char *given = getenv("HITOP_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : 20385;

    printf("seed %llu\n", (unsigned long long)seed);
    return seed * 2 + 1;
}

/* A number in 0..bound-1 (xorshift64*). */
static inline int draw(uint64_t *state, int bound)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (int)((*state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

#endif /* TESTS_DRAW_H */
