/* SPDX-License-Identifier: BSD-3-Clause */
/* wait.c - the slow part of waiting: yield, progress MPI, sleep. */
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
    NAP = 1000000,       /* ns, so that MPI progresses */
    TURN = 500000,       /* ns; a poll and its yield take less unless another process computes */
    MESSAGE_NAP = 20000, /* ns; the kernel adds its timer slack of 50000 */
    YIELDS_PER_LOOK_AT_CLOCK = 16,
};

/* This process takes part in membarrier(2). */
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

/* Duration of a pause in ns: the minimum of some batches, because interruptions lengthen one. */
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
        STORE_RELEASE(&eventcount->is_unsafe, 1);
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
    return wait->mode != HITOP_WAIT_SPIN && LOAD_ACQUIRE(&wait->eventcount->is_unsafe) == 0;
}

/* Does a yield that took long make the rank nap? Only where it waits for a message, see wait.h. */
static int sees_turns(const struct hitop_wait *wait)
{
    return !wait->eventcount && wait->mode == HITOP_WAIT_AUTO;
}

/* Read the clock: is the rank to sleep from now on? */
static int becomes_long(struct hitop_wait *wait)
{
    const uint64_t before = wait->last_look;

    wait->last_look = hitop_wait_clock();
    return wait->mode == HITOP_WAIT_FUTEX || wait->last_look - wait->since > PATIENCE ||
           (sees_turns(wait) && wait->last_look - before > TURN);
}

/* Does the rank sleep between polls, after `yields` yields? */
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

/* A message wakes no sleeper, so the nap has a fixed length. */
static void take_nap(void)
{
    static const struct timespec nap = {.tv_nsec = MESSAGE_NAP};

    (void)nanosleep(&nap, NULL);
}

/* The first call registers a sleeper, and the caller polls once more; later calls sleep. */
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
            STORE_RELEASE(&eventcount->is_unsafe, 1);
        }
    }
    wait->heard = LOAD_ACQUIRE(&eventcount->events);
}

/* Call the watch function every HITOP_WAIT_LOOKS_PER_WATCH polls. */
static void call_watch(struct hitop_wait *wait, unsigned looks)
{
    if (wait->watch && looks % HITOP_WAIT_LOOKS_PER_WATCH == HITOP_WAIT_LOOKS_PER_WATCH - 1) {
        wait->watch(wait, looks >= HITOP_WAIT_LOOKS_PER_WATCH);
    }
}

void hitop_wait_longer(struct hitop_wait *wait, unsigned looks)
{
    const int sleepy = is_long(wait, looks);

    wait->waits += looks == 0;
    if (wait->progress && hitop_wait_is_time_for_mpi(wait, looks)) {
        wait->progress(wait->context);
    }
    call_watch(wait, looks);
    if (!sleepy) {
        (void)sched_yield();
    } else if (wait->eventcount) {
        sleep_or_arm(wait);
    } else {
        take_nap();
    }
}

void hitop_wait_wake(struct hitop_wait *wait)
{
    struct hitop_eventcount *eventcount = wait->eventcount;

    if (wait->is_armed) { /* a rank that notifies is awake */
        atomic_fetch_sub(&eventcount->sleepers, 1);
        wait->is_armed = 0;
    }
    if (LOAD_RELAXED(&eventcount->sleepers) != 0) {
        atomic_fetch_add(&eventcount->events, 1);
        (void)syscall(SYS_futex, &eventcount->events, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}
