/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_WAIT_H
#define HITOP_NODE_WAIT_H

/*
 * wait.h - how a process waits for a word in shared memory.
 *
 * Spin a little, because the word usually changes within a microsecond; then give the processor away
 * between looks, because the process that must change it may need it; and call MPI now and then,
 * because a peer's progress may depend on ours: a program that posts sends and enters a collective
 * relies on the library to move them while it waits.
 */

#include <sched.h>

struct hitop_wait {
    unsigned spins;                  /* looks before the first yield */
    void (*progress)(void *context); /* moves the MPI library; NULL where there is none */
    void *context;
};

enum {
    HITOP_WAIT_SPINS_ALONE = 2000, /* about 2 us of pauses: every process has a processor */
    HITOP_WAIT_SPINS_SHARED = 20,  /* processes share processors: the other one must run */
    HITOP_WAIT_YIELDS_PER_PROGRESS = 8,
};

static inline void hitop_wait_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Between two looks at the word; *round counts them and starts at 0. */
static inline void hitop_wait_relax(const struct hitop_wait *wait, unsigned *round)
{
    const unsigned looks = (*round)++;

    if (looks < wait->spins) {
        hitop_wait_pause();
        return;
    }
    if (wait->progress && (looks - wait->spins) % HITOP_WAIT_YIELDS_PER_PROGRESS == 0) {
        wait->progress(wait->context);
    }
    (void)sched_yield();
}

#endif /* HITOP_NODE_WAIT_H */
