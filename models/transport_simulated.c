/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_simulated.c - a network whose every time is known.
 *
 * Idea:  one process plays all ranks. A clock advances by the times it hands out; links that are
 *        measured at once each start at the same moment. Same seed, same times.
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
    double offset;  /* time since then on the link in hand */
    double longest; /* largest offset of the links done since then */
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

/* One-way time of one message. */
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

static enum hitop_status exchange(void *self, int from, int to, size_t bytes, int batch, int count,
                                  double *seconds, struct hitop_diag *diag)
{
    struct simulated *s = self;

    (void)diag;
    for (int i = 0; i < count; i++) {
        const double start = now(s);
        for (int k = 0; k < batch; k++) {
            s->offset += draw(s, from, to, bytes);
            s->offset += draw(s, to, from, bytes);
        }
        seconds[i] = (now(s) - start) / (2.0 * batch);
    }
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

static enum hitop_status agree(void *self, double *value, struct hitop_diag *diag)
{
    struct simulated *s = self;

    (void)value;
    (void)diag;
    s->base += fmax(s->longest, s->offset);
    s->longest = s->offset = 0;
    return HITOP_OK;
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
                                    .concurrent = concurrent,
                                    .agree = agree,
                                    .collect = collect,
                                    .share = share,
                                    .close = close_simulated};
    return HITOP_OK;
}
