/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_simulated.c - simulate a network with known times.
 *
 * Idea:  one process acts as all ranks. Its clock advances by each simulated time; links that are
 *        measured concurrently start at the same time. The same seed gives the same times.
 */
#include <config.h>

#include "hitop/measure.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct simulated {
    struct hitop_simulation what;
    gsl_rng *rng;
    double base;    /* time of the last agreement */
    double offset;  /* time since then on the current link */
    double longest; /* largest offset of the links released since then */
    int at_once;
};

static double exact_now(const struct simulated *s)
{
    return s->base + s->offset;
}

static double now(void *self)
{
    const struct simulated *s = self;
    const double step = s->what.clock_step;

    return step > 0 ? step * floor(exact_now(s) / step) : exact_now(s);
}

/* Draw the one-way time of one message. */
static double draw(struct simulated *s, int from, int to, size_t bytes)
{
    double t = s->what.truth.p2p(s->what.truth.self, from, to, bytes);

    t *= 1 + s->what.contention * (s->at_once - 1);
    if (s->what.noise > 0) {
        t *= exp(gsl_ran_gaussian(s->rng, s->what.noise));
    }
    if (s->what.spikes > 0 && gsl_rng_uniform(s->rng) < s->what.spikes) {
        t *= 1 + gsl_ran_pareto(s->rng, 1.3, 1);
    }
    return t;
}

/* Whether the send of a message waits for its receiver. */
static int is_synchronous(const struct simulated *s, int from, int to, size_t bytes)
{
    const size_t from_bytes =
        s->what.synchronous ? s->what.synchronous(s->what.truth.self, from, to) : HITOP_ALL_SIZES;

    return from_bytes != HITOP_ALL_SIZES && bytes >= from_bytes;
}

/*
 * Draw the time of a call for a message: its true time multiplied by the noise, or that of the
 * message if the send waits for its receiver.
 */
static double call_time(struct simulated *s, double fixed, double per_byte, int from, int to,
                        size_t bytes)
{
    const double noise = s->what.noise > 0 ? exp(gsl_ran_gaussian(s->rng, s->what.noise)) : 1;

    if (is_synchronous(s, from, to, bytes)) {
        return draw(s, from, to, bytes);
    }
    return noise * (fixed + per_byte * (double)bytes);
}

/* The seconds for which the sender of a message is busy. */
static double busy_time(const struct simulated *s, int from, int to, size_t bytes)
{
    const struct hitop_cost *truth = &s->what.truth;

    return is_synchronous(s, from, to, bytes) ? truth->p2p(truth->self, from, to, bytes)
                                              : truth->occupancy(truth->self, from, to, bytes);
}

/* Draw the seconds between two messages of a train. */
static double train_gap(struct simulated *s, int from, int to, size_t bytes)
{
    const double noise = s->what.noise > 0 ? exp(gsl_ran_gaussian(s->rng, s->what.noise)) : 1;

    return noise * busy_time(s, from, to, bytes);
}

/* Draw the time of a fan: two messages leave one after the other, and both are answered. */
static double fan(struct simulated *s, const struct hitop_series *x)
{
    const double first = draw(s, x->from, x->to, x->bytes) + draw(s, x->to, x->from, 0);
    const double second = draw(s, x->from, x->third, x->bytes) + draw(s, x->third, x->from, 0);
    const double busy = busy_time(s, x->from, x->to, x->bytes);
    const double back = busy_time(s, x->from, x->to, 0);

    /*
     * the second answer is received after the first one, which keeps the processor busy as long as
     * an empty send does
     */
    return fmax(first, second) + busy + back;
}

/* Advance the clock by one repetition of an experiment. */
static void repeat(struct simulated *s, const struct hitop_series *x)
{
    switch (x->what) {
    case HITOP_ECHO:
        s->offset += draw(s, x->from, x->to, x->bytes);
        s->offset += draw(s, x->to, x->from, x->bytes);
        break;
    case HITOP_REPLY:
    case HITOP_REPLY_THIRD:
        s->offset += draw(s, x->from, x->to, x->bytes);
        s->offset += draw(s, x->to, x->from, 0);
        break;
    case HITOP_GAP:
        s->offset += train_gap(s, x->from, x->to, x->bytes);
        break;
    case HITOP_SEND_CALL:
        s->offset += call_time(s, s->what.send, s->what.send_per_byte, x->from, x->to, x->bytes);
        break;
    case HITOP_RECEIVE_CALL:
        s->offset +=
            call_time(s, s->what.receive, s->what.receive_per_byte, x->to, x->from, x->bytes);
        break;
    case HITOP_FAN:
        s->offset += fan(s, x);
        break;
    case HITOP_NEXPERIMENTS:
        break;
    }
}

static enum hitop_status exchange(void *self, const struct hitop_series *x, double *seconds,
                                  struct hitop_diag *diag)
{
    struct simulated *s = self;
    const int repetitions = x->what == HITOP_GAP ? x->batch - 1 : x->batch;
    const double parts = (x->what == HITOP_ECHO ? 2.0 : 1.0) * repetitions;

    (void)diag;
    for (int i = 0; i < x->count; i++) {
        const double start = now(s);
        for (int k = 0; k < repetitions; k++) {
            repeat(s, x);
        }
        seconds[i] = (now(s) - start) / parts;
    }
    return HITOP_OK;
}

/* A send that does not complete is waited for until the time is over. */
static enum hitop_status completes(void *self, int from, int to, size_t bytes, double seconds,
                                   int *yes, struct hitop_diag *diag)
{
    struct simulated *s = self;

    (void)diag;
    *yes = !s->what.eager || bytes <= s->what.eager(s->what.truth.self, from, to);
    s->offset += *yes ? 0 : seconds;
    s->offset += draw(s, from, to, bytes);
    return HITOP_OK;
}

static enum hitop_status release(void *self, int from, int to, struct hitop_diag *diag)
{
    struct simulated *s = self;

    (void)from;
    (void)to;
    (void)diag;
    s->longest = fmax(s->longest, s->offset);
    s->offset = 0;
    return HITOP_OK;
}

static enum hitop_status answer(void *self, int from, int to, struct hitop_diag *diag)
{
    (void)self;
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "ranks %d and %d are one process", from, to);
}

static void concurrent(void *self, int nlinks)
{
    struct simulated *s = self;

    s->at_once = nlinks;
}

static enum hitop_status agree(void *self, double *values, int n, struct hitop_diag *diag)
{
    struct simulated *s = self;

    (void)values;
    (void)n;
    (void)diag;
    s->base += fmax(s->longest, s->offset);
    s->longest = s->offset = 0;
    return HITOP_OK;
}

static enum hitop_status gather(void *self, const void *data, size_t length,
                                enum hitop_status (*take)(void *, const void *, size_t,
                                                          struct hitop_diag *),
                                void *user, struct hitop_diag *diag)
{
    (void)self;
    return take(user, data, length, diag);
}

static enum hitop_status collect(void *self, int from, void *data, size_t length,
                                 struct hitop_diag *diag)
{
    (void)self;
    (void)from;
    (void)data;
    (void)length;
    (void)diag;
    return HITOP_OK;
}

static enum hitop_status share(void *self, void *data, size_t length, struct hitop_diag *diag)
{
    (void)self;
    (void)data;
    (void)length;
    (void)diag;
    return HITOP_OK;
}

static void close_simulated(void *self)
{
    struct simulated *s = self;

    if (s) {
        gsl_rng_free(s->rng);
        free(s);
    }
}

enum hitop_status hitop_transport_simulated(const struct hitop_simulation *simulation,
                                            struct hitop_transport *out, struct hitop_diag *diag)
{
    struct simulated *s = calloc(1, sizeof(*s));

    *out = (struct hitop_transport){0};
    if (s) {
        s->what = *simulation;
        s->at_once = 1;
        s->rng = gsl_rng_alloc(gsl_rng_mt19937);
    }
    if (!s || !s->rng) {
        close_simulated(s);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "simulated transport: out of memory");
    }
    gsl_rng_set(s->rng, (unsigned long)simulation->seed);
    *out = (struct hitop_transport){.self = s,
                                    .name = "simulated",
                                    .rank = HITOP_EVERY_RANK,
                                    .nranks = simulation->truth.nranks,
                                    .clock_step = simulation->clock_step,
                                    .max_bytes = SIZE_MAX,
                                    .now = now,
                                    .exchange = exchange,
                                    .release = release,
                                    .answer = answer,
                                    .completes = completes,
                                    .concurrent = concurrent,
                                    .agree = agree,
                                    .gather = gather,
                                    .collect = collect,
                                    .share = share,
                                    .close = close_simulated};
    return HITOP_OK;
}
