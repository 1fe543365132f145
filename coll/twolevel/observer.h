/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OBSERVER_H
#define HITOP_OBSERVER_H

/*
 * observer.h - a thread that detects calls of a process that do not end. Pure: no MPI.
 *
 * Idea:   A caller marks the beginning of a call by three stores and its end by one. The thread
 *         sleeps most of the time and checks whether the current call is the one that it saw
 *         before. So a call need not read a clock, and the thread detects a caller that waits
 *         inside another library, where it cannot report anything itself.
 * Needs:  One call at a time in each observed object.
 */

#include <stdatomic.h>
#include <stdint.h>

struct observed {
    /*
     * Two numbers that describe the call, chosen by the caller and written before it enters the
     * call.
     */
    _Atomic uint64_t what, number;
    _Atomic uint64_t entered; /* odd: a call is running; increases with each call */
    /* changes while the caller waits in a watched loop, see observed_is_alive() */
    _Atomic uint64_t alive;

    /*
     * Report a call that has lasted `ns`; returns 1 when it is reported, here or by another rank.
     * Runs on the thread, so it must not call MPI.
     */
    int (*report)(struct observed *o, uint64_t what, uint64_t number, uint64_t ns);
    /*
     * Called at each check, with the numbers of a call that has lasted since the last check, or
     * with 0, 0. NULL: not called.
     */
    void (*show)(struct observed *o, uint64_t what, uint64_t number);

    /* Used by the thread only; the caller sets `patience` before. */
    uint64_t patience; /* ns until a call lasts too long; each report doubles it */
    uint64_t seen, since, reported, alive_before;
    struct observed *next;
};

/*
 * The numbers are stored with release: a thread that reads a number of this call also sees the end
 * of the previous call, and does not take the number for one of that call.
 */
static inline void observed_enter(struct observed *o, uint64_t what, uint64_t number)
{
    atomic_store_explicit(&o->what, what, memory_order_release);
    atomic_store_explicit(&o->number, number, memory_order_release);
    atomic_store_explicit(&o->entered, atomic_load_explicit(&o->entered, memory_order_relaxed) + 1,
                          memory_order_release);
}

static inline void observed_exit(struct observed *o)
{
    atomic_store_explicit(&o->entered, atomic_load_explicit(&o->entered, memory_order_relaxed) + 1,
                          memory_order_release);
}

/*
 * The caller waits in a loop that another watchdog watches; the observer does not report the call
 * while `clock` changes.
 */
static inline void observed_is_alive(struct observed *o, uint64_t clock)
{
    atomic_store_explicit(&o->alive, clock, memory_order_relaxed);
}

/*
 * Start to observe `o`, whose report, show and patience are set, or stop. The thread starts with
 * the first object and ends with the last one. If the thread cannot start, nothing is reported.
 */
void hitop_observer_add(struct observed *o);
void hitop_observer_remove(struct observed *o);

#endif /* HITOP_OBSERVER_H */
