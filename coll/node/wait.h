/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_WAIT_H
#define HITOP_NODE_WAIT_H

/*
 * wait.h - waiting for a word in shared memory.
 *
 * Idea:   A waiting rank first spins, because the word usually changes within a microsecond. Then
 *         it yields its processor between polls, because the rank that changes the word may need
 *         it, and calls MPI now and then, because the progress of a peer may depend on it: a
 *         program that posts sends and enters a collective relies on the library to move them.
 *         After some milliseconds the rank sleeps until the eventcount changes, for a millisecond
 *         at a time because MPI must progress.
 *
 * A message of MPI changes no eventcount. A rank that waits for a message and has its own processor
 * sleeps only in mode HITOP_WAIT_FUTEX. The others take short naps after a while, and at once when
 * a yield has taken so long that another process must have computed: a process that wakes up gets a
 * processor sooner than one that has yielded it. Where no other process computes, a nap only delays
 * the reaction.
 *
 * A rank that stores a word on which others may wait notifies the eventcount afterwards. That costs
 * a load of a line that hardly ever changes, and no fence: a rank that goes to sleep makes the
 * processors of all others execute one (membarrier(2)), after which either they see the sleeper or
 * the sleeper sees their word. Without membarrier no rank sleeps on the eventcount.
 */

#include "coll/node/atomics.h"

#include "src/pause.h"

#include <stddef.h>
#include <stdint.h>

/* In the node's segment, initially zero. */
struct hitop_eventcount {
    _Alignas(128) _Atomic uint32_t events; /* changes with every notification for a sleeper */
    _Atomic uint32_t sleepers;
    /* a rank notifies without fence and without membarrier: do not sleep */
    _Atomic uint32_t is_unsafe;
};

enum hitop_wait_mode {
    HITOP_WAIT_AUTO,  /* sleep after a while */
    HITOP_WAIT_SPIN,  /* never sleep */
    HITOP_WAIT_FUTEX, /* sleep soon: threads of the program need the processors */
};

struct hitop_wait {
    unsigned spins;                  /* polls before the first yield, see hitop_wait_spins() */
    unsigned rest;                   /* pauses of hitop_wait_rest() */
    int alone;                       /* every rank of the node has its own processor */
    void (*progress)(void *context); /* progresses the MPI library; NULL: none */
    void *context;
    enum hitop_wait_mode mode;
    /* the eventcount of the awaited words; NULL: the rank waits for a message */
    struct hitop_eventcount *eventcount;
    /*
     * Called in long waits after every HITOP_WAIT_LOOKS_PER_WATCH polls; `again`: not the first
     * time. NULL: not called.
     */
    void (*watch)(struct hitop_wait *wait, int again);

    uint64_t waits; /* waits longer than the spins */

    /* The wait under way. */
    uint64_t since;     /* time of its first yield, in ns */
    uint64_t last_look; /* at the clock */
    uint32_t heard;     /* `events` at the last poll */
    uint8_t is_long;    /* the rank sleeps between polls */
    uint8_t is_armed;   /* the rank is counted among the sleepers */
};

enum {
    HITOP_WAIT_YIELDS_PER_PROGRESS = 8,
    HITOP_WAIT_LOOKS_PER_WATCH = 64,
};

/*
 * Register this process with the kernel for membarrier(2), once. hitop_wait_attach() does so too,
 * but for a process with threads, as some MPI libraries start, that takes 10 to 16 ms; before the
 * first thread it takes no time.
 */
void hitop_wait_register(void);

/*
 * Polls before the first yield: for 10 us where every rank has a processor, none where ranks share
 * them, because the awaited rank probably needs this one. A pause takes 3 to 50 ns by processor, so
 * it is measured once in a process.
 */
unsigned hitop_wait_spins(int alone);

/*
 * Use `eventcount` for the words awaited with `wait`. Each process calls this once for each
 * eventcount, before any rank sleeps.
 */
void hitop_wait_attach(struct hitop_wait *wait, struct hitop_eventcount *eventcount);

/* Charge the time of a copy of `bytes` that is made now. Only simulated time needs this. */
#ifdef HITOP_SMPI
void hitop_wait_charge(size_t bytes);
#else
static inline void hitop_wait_charge(size_t bytes)
{
    (void)bytes;
}
#endif

/* The rarely executed parts of the functions below. */
void hitop_wait_longer(struct hitop_wait *wait, unsigned looks);
void hitop_wait_wake(struct hitop_wait *wait);

/*
 * Does the poll after `looks` yields call MPI? Most waits end after one or two yields and should
 * not pay for it.
 */
static inline int hitop_wait_is_time_for_mpi(const struct hitop_wait *wait, unsigned looks)
{
    return wait->is_long ||
           looks % HITOP_WAIT_YIELDS_PER_PROGRESS == HITOP_WAIT_YIELDS_PER_PROGRESS - 1;
}

/* Time of a monotonic clock in ns. */
uint64_t hitop_wait_clock(void);

/* Pause for about 20 ns, or one pause if that is longer. */
static inline void hitop_wait_rest(const struct hitop_wait *wait)
{
    for (unsigned i = 0; i < wait->rest; i++) {
        hitop_wait_pause();
    }
}

/* Does a wait for a word call MPI in this round? */
static inline int hitop_wait_moves_mpi(const struct hitop_wait *wait, unsigned round)
{
    return round >= wait->spins && hitop_wait_is_time_for_mpi(wait, round - wait->spins);
}

/* Called between two polls of the word; *round counts them and starts at 0. */
static inline void hitop_wait_relax(struct hitop_wait *wait, unsigned *round)
{
    const unsigned looks = (*round)++;

    if (looks < wait->spins) {
        hitop_wait_pause();
    } else {
        hitop_wait_longer(wait, looks - wait->spins);
    }
}

/* Wait until the condition is true; it is evaluated again after each pause. */
#define HITOP_WAIT_UNTIL(wait, condition)                                                          \
    for (unsigned wait_round = 0; !(condition);) {                                                 \
        hitop_wait_relax(wait, &wait_round);                                                       \
    }

/* Progress MPI between two parts of long work. */
static inline void hitop_wait_progress(const struct hitop_wait *wait)
{
    if (wait->progress) {
        wait->progress(wait->context);
    }
}

/* Called after one or several stores on which other ranks may wait. */
static inline void hitop_wait_notify(struct hitop_wait *wait)
{
    if (!wait->eventcount) {
        return;
    }
    atomic_signal_fence(memory_order_seq_cst); /* orders the store before the load */
    if (wait->is_armed || LOAD_RELAXED(&wait->eventcount->sleepers) != 0) {
        hitop_wait_wake(wait);
    }
}

#endif /* HITOP_NODE_WAIT_H */
