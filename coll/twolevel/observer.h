/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OBSERVER_H
#define HITOP_OBSERVER_H

/*
 * observer.h - a thread that sees whether the calls of a process come to an end. Pure: no MPI.
 *
 * Idea:   whoever begins and ends a call says so in two stores; the thread, which sleeps most of
 *         the time, looks whether a call is still the one that it saw before. So calls cost no look
 *         at a clock, and a thread that waits inside another library is seen although it cannot say
 *         anything.
 * Needs:  one call at a time of each that is observed.
 */

#include <stdatomic.h>
#include <stdint.h>

struct observed {
    /* What is called, of the caller's choice, written before it is entered. */
    _Atomic uint64_t what, number;
    _Atomic uint64_t entered; /* odd: a call is under way; grows */
    _Atomic uint64_t alive;   /* it shows otherwise that it waits: by another clock each time */

    /*
     * Tell of a call that has lasted `ns`; 1 when something was said. On the thread, which must not
     * call MPI.
     */
    int (*tell)(struct observed *o, uint64_t what, uint64_t number, uint64_t ns);
    /* A call is seen to last, before it lasts too long; 0, 0: none does. Or NULL. */
    void (*show)(struct observed *o, uint64_t what, uint64_t number);

    /* The thread's. */
    uint64_t patience; /* ns until a call lasts too long; each line doubles it */
    uint64_t seen, since, told, life;
    struct observed *next;
};

static inline void observed_enter(struct observed *o, uint64_t what, uint64_t number)
{
    atomic_store_explicit(&o->what, what, memory_order_relaxed);
    atomic_store_explicit(&o->number, number, memory_order_relaxed);
    atomic_store_explicit(&o->entered, atomic_load_explicit(&o->entered, memory_order_relaxed) + 1,
                          memory_order_release);
}

static inline void observed_leave(struct observed *o)
{
    atomic_store_explicit(&o->entered, atomic_load_explicit(&o->entered, memory_order_relaxed) + 1,
                          memory_order_release);
}

/*
 * It waits in a way that somebody else watches: until it stops saying so it is not the observer's.
 */
static inline void observed_is_alive(struct observed *o, uint64_t clock)
{
    atomic_store_explicit(&o->alive, clock, memory_order_relaxed);
}

/*
 * Observe from now on, with tell, show and patience set, or not any more. The thread begins with
 * the first one, and has ended when the last one is gone. Without a thread nothing is told.
 */
void hitop_observer_add(struct observed *o);
void hitop_observer_remove(struct observed *o);

#endif /* HITOP_OBSERVER_H */
