/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAUSE_H
#define PAUSE_H

/* pause.h - the pause instruction, for loops that poll memory. */

static inline void hitop_wait_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif /* PAUSE_H */
