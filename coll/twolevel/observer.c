/* SPDX-License-Identifier: BSD-3-Clause */
/* observer.c - see observer.h. */
#include <config.h>

#include "coll/twolevel/observer.h"

#include "coll/node/wait.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { NS = 1000000000, LOOKS = 4 /* per patience */ };

/*
 * `registration` is held while an object is added or removed, until the thread has started or
 * ended; `lock` protects the list that the thread reads.
 */
static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct observed *all;
static int is_running;
static pthread_t thread;

static void look_at(struct observed *o, uint64_t now)
{
    const uint64_t entered = atomic_load_explicit(&o->entered, memory_order_acquire);
    const uint64_t what = atomic_load_explicit(&o->what, memory_order_relaxed);
    const uint64_t number = atomic_load_explicit(&o->number, memory_order_relaxed);
    const uint64_t alive = atomic_load_explicit(&o->alive, memory_order_relaxed);
    int is_long;

    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&o->entered, memory_order_relaxed) != entered) {
        return; /* another call has begun, or this one has ended */
    }
    is_long = entered % 2 == 1 && entered == o->seen && alive == o->alive_before;
    if (!is_long) {
        o->since = now;
        o->seen = entered;
        o->alive_before = alive;
    }
    if (o->show) {
        o->show(o, is_long ? what : 0, is_long ? number : 0);
    }
    if (is_long && o->reported != entered && now - o->since > o->patience &&
        o->report(o, what, number, now - o->since)) {
        o->reported = entered;
        o->patience *= 2;
    }
}

/* The time of the next look: after a fraction of the shortest patience. */
static struct timespec next_look(void)
{
    uint64_t shortest = UINT64_MAX / 2;
    struct timespec at;

    for (const struct observed *o = all; o; o = o->next) {
        shortest = o->patience < shortest ? o->patience : shortest;
    }
    (void)clock_gettime(CLOCK_REALTIME, &at);
    shortest = shortest / LOOKS + (uint64_t)at.tv_nsec;
    at.tv_sec += (time_t)(shortest / NS);
    at.tv_nsec = (long)(shortest % NS);
    return at;
}

static void *observe(void *nothing)
{
    (void)pthread_mutex_lock(&lock);
    while (all) {
        const struct timespec at = next_look();

        (void)pthread_cond_timedwait(&change, &lock, &at);
        for (struct observed *o = all; o; o = o->next) {
            look_at(o, hitop_wait_clock());
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return nothing;
}

/* Start the thread with all signals blocked, so that it handles none of the program's signals. */
static int start(void)
{
    sigset_t none, before;
    int code;

    (void)sigfillset(&none);
    (void)pthread_sigmask(SIG_SETMASK, &none, &before);
    code = pthread_create(&thread, NULL, observe, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

void hitop_observer_add(struct observed *o)
{
    (void)pthread_mutex_lock(&registration);
    (void)pthread_mutex_lock(&lock);
    o->next = all;
    all = o;
    is_running = is_running || start();
    (void)pthread_cond_signal(&change); /* the new object may have a shorter patience */
    (void)pthread_mutex_unlock(&lock);
    (void)pthread_mutex_unlock(&registration);
}

void hitop_observer_remove(struct observed *o)
{
    struct observed **at = &all;
    int is_last = 0;

    (void)pthread_mutex_lock(&registration);
    (void)pthread_mutex_lock(&lock);
    while (*at && *at != o) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = o->next;
        is_last = !all && is_running;
        is_running = is_running && !is_last;
    }
    (void)pthread_cond_signal(&change);
    (void)pthread_mutex_unlock(&lock);
    if (is_last) {
        (void)pthread_join(thread, NULL);
    }
    (void)pthread_mutex_unlock(&registration);
}
