/* SPDX-License-Identifier: BSD-3-Clause */
/* wait.c - the slow part of waiting: yield, move MPI, sleep. */
#include <config.h>

#include "coll/node/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SPIN_ALONE = 10000,  /* ns */
    REST = 20,           /* ns */
    PATIENCE = 5000000,  /* ns of yielding before a nap, which ends late on an idle processor */
    NAP = 1000000,       /* ns: MPI wants to be called */
    TURN = 500000,       /* ns: a look and its yields are not longer where others only wait, too */
    MESSAGE_NAP = 20000, /* ns, to which the kernel adds its timer slack, 50000 */
    YIELDS_PER_LOOK_AT_CLOCK = 16,
};

/* This process passes fences for those who sleep. */
static int is_registered;

static void register_process(void)
{
    is_registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

void hitop_wait_register(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, register_process);
}

/* Nanoseconds of a pause: the shortest of some batches, since others may interrupt one. */
static double pause_ns;
static pthread_once_t measured = PTHREAD_ONCE_INIT;

static void measure_pause(void)
{
    enum { BATCHES = 5, PAUSES = 64 };
    uint64_t best = UINT64_MAX;

    for (int b = 0; b < BATCHES; b++) {
        const uint64_t start = hitop_wait_clock();
        uint64_t took;

        for (int i = 0; i < PAUSES; i++) {
            hitop_wait_pause();
        }
        took = hitop_wait_clock() - start;
        best = took < best ? took : best;
    }
    pause_ns = best > PAUSES ? (double)best / PAUSES : 1;
}

unsigned hitop_wait_spins(int alone)
{
    if (!alone) {
        return 0;
    }
    (void)pthread_once(&measured, measure_pause);
    return 1 + (unsigned)(SPIN_ALONE / pause_ns);
}

void hitop_wait_attach(struct hitop_wait *wait, struct hitop_eventcount *eventcount)
{
    hitop_wait_register();
    (void)pthread_once(&measured, measure_pause);
    wait->rest = 1 + (unsigned)(REST / pause_ns - 0.5);
    wait->eventcount = eventcount;
    if (!is_registered) {
        atomic_store_explicit(&eventcount->is_unsafe, 1, memory_order_release);
    }
}

uint64_t hitop_wait_clock(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int may_sleep(const struct hitop_wait *wait)
{
    if (!wait->eventcount) {
        return wait->mode == HITOP_WAIT_FUTEX || (wait->mode == HITOP_WAIT_AUTO && !wait->alone);
    }
    return wait->mode != HITOP_WAIT_SPIN &&
           atomic_load_explicit(&wait->eventcount->is_unsafe, memory_order_acquire) == 0;
}

/* While a message is awaited, turns in which somebody else has computed matter. */
static int sees_turns(const struct hitop_wait *wait)
{
    return !wait->eventcount && wait->mode == HITOP_WAIT_AUTO;
}

/* Look at the clock: does the wait become a long one? */
static int becomes_long(struct hitop_wait *wait)
{
    const uint64_t before = wait->last_look;

    wait->last_look = hitop_wait_clock();
    return wait->mode == HITOP_WAIT_FUTEX || wait->last_look - wait->since > PATIENCE ||
           (sees_turns(wait) && wait->last_look - before > TURN);
}

/* Has this wait become a long one? */
static int is_long(struct hitop_wait *wait, unsigned yields)
{
    if (yields == 0) {
        wait->is_long = 0;
        wait->since = wait->last_look = hitop_wait_clock();
    } else if (!wait->is_long && (sees_turns(wait) || yields % YIELDS_PER_LOOK_AT_CLOCK == 0) &&
               may_sleep(wait)) {
        wait->is_long = becomes_long(wait) != 0;
    }
    return wait->is_long;
}

/*
 * Has MPI given the processor away for us? It is called in most looks at messages; in some it is not, hence yield now and
 * then all the same.
 */
static int has_yielded(const struct hitop_wait *wait, unsigned looks)
{
    return !wait->eventcount && wait->mpi_yields && !hitop_wait_is_time_for_mpi(wait, looks);
}

/* Nobody tells when to wake up. */
static void take_nap(void)
{
    static const struct timespec nap = {.tv_nsec = MESSAGE_NAP};

    (void)nanosleep(&nap, NULL);
}

/* The first time say that somebody is going to sleep, then look once more; from then on sleep. */
static void sleep_or_arm(struct hitop_wait *wait)
{
    static const struct timespec nap = {.tv_nsec = NAP - 1};
    struct hitop_eventcount *eventcount = wait->eventcount;

    if (wait->is_armed) {
        (void)syscall(SYS_futex, &eventcount->events, FUTEX_WAIT, wait->heard, &nap, NULL, 0);
    } else {
        atomic_fetch_add(&eventcount->sleepers, 1);
        wait->is_armed = 1;
        if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) != 0) {
            atomic_store_explicit(&eventcount->is_unsafe, 1, memory_order_release);
        }
    }
    wait->heard = atomic_load_explicit(&eventcount->events, memory_order_acquire);
}

void hitop_wait_longer(struct hitop_wait *wait, unsigned looks)
{
    const int sleepy = is_long(wait, looks);

    wait->waits += looks == 0;
    if (wait->progress && hitop_wait_is_time_for_mpi(wait, looks)) {
        wait->progress(wait->context);
    }
    hitop_wait_show(wait, looks);
    if (!sleepy) {
        if (!has_yielded(wait, looks)) {
            (void)sched_yield();
        }
    } else if (wait->eventcount) {
        sleep_or_arm(wait);
    } else {
        take_nap();
    }
}

void hitop_wait_wake(struct hitop_wait *wait)
{
    struct hitop_eventcount *eventcount = wait->eventcount;

    if (wait->is_armed) { /* whoever rings is awake */
        atomic_fetch_sub(&eventcount->sleepers, 1);
        wait->is_armed = 0;
    }
    if (atomic_load_explicit(&eventcount->sleepers, memory_order_relaxed) != 0) {
        atomic_fetch_add(&eventcount->events, 1);
        (void)syscall(SYS_futex, &eventcount->events, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}
