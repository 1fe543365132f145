/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_WAIT_H
#define HITOP_NODE_WAIT_H

/*
 * wait.h - how a process waits for a word in shared memory.
 *
 * Spin a little, because the word usually changes within a microsecond; then give the processor away
 * between looks, because the process that must change it may need it; and call MPI now and then,
 * because a peer's progress may depend on ours: a program that posts sends and enters a collective
 * relies on the library to move them while it waits. Who has waited for some milliseconds sleeps, in
 * naps of a millisecond at most because MPI must go on, unless somebody rings the eventcount.
 *
 * No eventcount tells of a message of MPI. Who waits for one and has a processor to itself never sleeps; others take short naps
 * after a while, and at once when a yield has taken so long that somebody must have computed: he wants the processor, and
 * a process that wakes up gets one sooner than a process that has yielded it. Where nobody computes a nap only makes the
 * answer late.
 *
 * Whoever stores a word that others may wait for rings the eventcount afterwards. That costs a look at a line
 * that hardly ever changes, and no fence: who goes to sleep makes the processors of all others pass one
 * (membarrier(2)), after which either they see the sleeper or the sleeper sees their word. Where that is
 * not to be had, nobody sleeps.
 */

#include "src/pause.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* In the node's segment, zeroed at first. */
struct hitop_eventcount {
    _Alignas(128) _Atomic uint32_t events; /* changes with every ring that somebody waits for */
    _Atomic uint32_t sleepers;
    _Atomic uint32_t
        is_unsafe; /* somebody rings without fence and without membarrier: do not sleep */
};

enum hitop_wait_mode {
    HITOP_WAIT_AUTO,  /* sleep after a while */
    HITOP_WAIT_SPIN,  /* never sleep */
    HITOP_WAIT_FUTEX, /* sleep soon: threads of the program want the processors */
};

struct hitop_wait {
    unsigned spins;                  /* looks before the first yield, see hitop_wait_spins() */
    unsigned rest;                   /* pauses of hitop_wait_rest() */
    int alone;                       /* every process of the node has a processor to itself */
    int mpi_yields;                  /* a call of MPI that finds nothing gives the processor away */
    void (*progress)(void *context); /* moves the MPI library; NULL where there is none */
    void *context;
    enum hitop_wait_mode mode;
    struct hitop_eventcount
        *eventcount; /* of the words waited for; NULL: what is waited for is a message */
    /* Sees waits that last: after so many looks, then again. NULL: nobody does. */
    void (*watch)(struct hitop_wait *wait, int again);

    uint64_t waits; /* that took longer than the spins */

    /* Of the wait under way. */
    uint64_t since;     /* when it began to yield, in ns */
    uint64_t last_look; /* at the clock */
    uint32_t heard;     /* rings before the last look */
    uint8_t is_long;    /* it is time to sleep */
    uint8_t is_armed;   /* counted among the sleepers */
};

enum {
    HITOP_WAIT_YIELDS_PER_PROGRESS = 8,
    HITOP_WAIT_LOOKS_PER_WATCH = 64,
};

/*
 * Have the kernel know that this process passes fences for sleepers, once. hitop_wait_attach() does so, but for a process with
 * threads, as MPI makes some, that takes 10 to 16 ms; before there are any it takes nothing.
 */
void hitop_wait_register(void);

/*
 * Looks before the first yield: for 10 us where every process has a processor, but none where they share them: whoever is
 * waited for probably waits for this one. Processors pause for 3 ns or for 50, hence this is measured, once in a process.
 */
unsigned hitop_wait_spins(int alone);

/* Ring `eventcount` for the words waited for with `wait`: once for a process and a eventcount, before anybody sleeps. */
void hitop_wait_attach(struct hitop_wait *wait, struct hitop_eventcount *eventcount);

/*
 * A copy of `bytes` is made now. Where time is simulated it stands still unless somebody says what takes time; elsewhere
 * that is not needed.
 */
#ifdef HITOP_SMPI
void hitop_wait_charge(size_t bytes);
#else
static inline void hitop_wait_charge(size_t bytes)
{
    (void)bytes;
}
#endif

/* The parts of what follows that are not in a hurry. */
void hitop_wait_longer(struct hitop_wait *wait, unsigned looks);
void hitop_wait_wake(struct hitop_wait *wait);

/*
 * Of a wait that has yielded `looks` times: shall MPI be moved? Most waits end after a yield or two, which it would make
 * longer.
 */
static inline int hitop_wait_is_time_for_mpi(const struct hitop_wait *wait, unsigned looks)
{
    return wait->is_long ||
           looks % HITOP_WAIT_YIELDS_PER_PROGRESS == HITOP_WAIT_YIELDS_PER_PROGRESS - 1;
}

/* Likewise: now and then somebody sees it. */
static inline void hitop_wait_show(struct hitop_wait *wait, unsigned looks)
{
    if (wait->watch && looks % HITOP_WAIT_LOOKS_PER_WATCH == HITOP_WAIT_LOOKS_PER_WATCH - 1) {
        wait->watch(wait, looks >= HITOP_WAIT_LOOKS_PER_WATCH);
    }
}

/* Nanoseconds of a clock that never goes back. */
uint64_t hitop_wait_clock(void);

/* The same, between loads and stores of before and of afterwards. */
static inline uint64_t hitop_wait_clock_alone(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    return hitop_wait_clock();
}

/* For about 20 ns, or one pause, whichever is longer. */
static inline void hitop_wait_rest(const struct hitop_wait *wait)
{
    for (unsigned i = 0; i < wait->rest; i++) {
        hitop_wait_pause();
    }
}

/* Before a look: is it one of those at which a process that waits for a word moves MPI, too? */
static inline int hitop_wait_moves_mpi(const struct hitop_wait *wait, unsigned round)
{
    return round >= wait->spins && hitop_wait_is_time_for_mpi(wait, round - wait->spins);
}

/* Between two looks at the word; *round counts them and starts at 0. */
static inline void hitop_wait_relax(struct hitop_wait *wait, unsigned *round)
{
    const unsigned looks = (*round)++;

    if (looks < wait->spins) {
        hitop_wait_pause();
    } else {
        hitop_wait_longer(wait, looks - wait->spins);
    }
}

/* Between two parts of long work: MPI goes on. */
static inline void hitop_wait_progress(const struct hitop_wait *wait)
{
    if (wait->progress) {
        wait->progress(wait->context);
    }
}

/* After a store that somebody may wait for, or several of them. */
static inline void hitop_wait_notify(struct hitop_wait *wait)
{
    if (!wait->eventcount) {
        return;
    }
    atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order of store and look */
    if (wait->is_armed ||
        atomic_load_explicit(&wait->eventcount->sleepers, memory_order_relaxed) != 0) {
        hitop_wait_wake(wait);
    }
}

#endif /* HITOP_NODE_WAIT_H */
