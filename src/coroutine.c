/* SPDX-License-Identifier: BSD-3-Clause */
/* coroutine.c - a thread that runs only while its caller waits for it. */
#include <config.h>

#include "hitop/coroutine.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct hitop_coroutine {
    void (*run)(void *self);
    void *self;
    pthread_t thread;
    pthread_mutex_t lock; /* of the members below */
    pthread_cond_t changed;
    size_t rest;    /* steps of this turn that are left; only the thread that runs uses it */
    int is_resumed; /* 1: the computation runs, 0: the caller does */
    int is_cancelled;
    int is_complete;
};

static _Thread_local struct hitop_coroutine *current;

/* Wait until it is the turn of the computation or, with 0, of the caller. The lock is held. */
static void wait_for(struct hitop_coroutine *c, int is_resumed)
{
    while (c->is_resumed != is_resumed) {
        (void)pthread_cond_wait(&c->changed, &c->lock);
    }
}

static void pass_turn(struct hitop_coroutine *c, int is_resumed)
{
    c->is_resumed = is_resumed;
    (void)pthread_cond_signal(&c->changed);
}

static void *begin(void *arg)
{
    struct hitop_coroutine *c = arg;

    (void)pthread_mutex_lock(&c->lock);
    wait_for(c, 1);
    (void)pthread_mutex_unlock(&c->lock);
    current = c;
    if (!c->is_cancelled) {
        c->run(c->self);
    }
    (void)pthread_mutex_lock(&c->lock);
    c->is_complete = 1;
    pass_turn(c, 0);
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals of the process are for the threads of the program. */
static int create_thread(struct hitop_coroutine *c)
{
    sigset_t all, before;
    int code;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&c->thread, NULL, begin, c);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

static void release(struct hitop_coroutine *c)
{
    (void)pthread_cond_destroy(&c->changed);
    (void)pthread_mutex_destroy(&c->lock);
    free(c);
}

struct hitop_coroutine *hitop_coroutine_new(void (*run)(void *self), void *self)
{
    struct hitop_coroutine *c = calloc(1, sizeof(*c));

    if (!c) {
        return NULL;
    }
    c->run = run;
    c->self = self;
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->changed, NULL);
    if (!create_thread(c)) {
        release(c);
        return NULL;
    }
    return c;
}

int hitop_coroutine_resume(struct hitop_coroutine *c, size_t steps)
{
    (void)pthread_mutex_lock(&c->lock);
    if (!c->is_complete) {
        c->rest = steps;
        pass_turn(c, 1);
        wait_for(c, 0);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return c->is_complete;
}

void hitop_coroutine_free(struct hitop_coroutine *c)
{
    if (!c) {
        return;
    }
    c->is_cancelled = 1; /* the computation does not run now */
    (void)hitop_coroutine_resume(c, 0);
    (void)pthread_join(c->thread, NULL);
    release(c);
}

int hitop_coroutine_yield(size_t steps)
{
    struct hitop_coroutine *c = current;

    if (!c) {
        return 0;
    }
    if (c->rest > steps) {
        c->rest -= steps;
    } else if (!c->is_cancelled) {
        (void)pthread_mutex_lock(&c->lock);
        pass_turn(c, 0);
        wait_for(c, 1);
        (void)pthread_mutex_unlock(&c->lock);
    }
    return c->is_cancelled;
}
