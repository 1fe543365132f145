/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TICKS_H
#define TICKS_H

/*
 * ticks.h - the processor's own counter, for short calls: a look at it takes 10 ns, 19 behind a
 * fence, one at the kernel's clock 25.
 *
 * Linux takes the counter for its clock only after it has seen that all processors of the machine
 * count alike, and gives it up when they no longer do; so does this.
 */

#include <stdint.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define TICKS_ARE_KNOWN 1
#else
#define TICKS_ARE_KNOWN 0
#endif

/* 1: all processors of this machine count alike, as far as the kernel knows. */
int ticks_are_common(void);

/* Seconds of a tick by the monotonic clock, to some parts in a million; takes 10 ms. */
double ticks_measure(void);

static inline uint64_t ticks_now(void)
{
#if TICKS_ARE_KNOWN
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* A look that follows comes after all loads before. */
static inline void ticks_fence(void)
{
#if TICKS_ARE_KNOWN
    __builtin_ia32_lfence();
#endif
}

#endif /* TICKS_H */
