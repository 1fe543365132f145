/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_predict.c - put times to the events of the schedules of all ranks. */
#include <config.h>

#include "sched_run.h"

#include <stdlib.h>

struct clock {
    double entered; /* when the current phase began */
    double port;    /* when the next send may leave */
    double arrived; /* when the last bytes of the phase were there */
};

struct prediction {
    const struct matching *matching;
    const struct hitop_cost *cost;
    struct clock *clocks; /* [size] */
    double *times; /* [nmessages]: when the receive was posted, then when the bytes are there */
};

static double max_of(double a, double b)
{
    return a > b ? a : b;
}

static void post(void *self, size_t message)
{
    const struct prediction *p = self;

    p->times[message] = p->clocks[p->matching->messages[message].to].entered;
}

static enum hitop_status leave(void *self, size_t message, struct hitop_diag *diag)
{
    const struct prediction *p = self;
    const struct message *m = &p->matching->messages[message];
    const struct hitop_cost *cost = p->cost;
    struct clock *sender = &p->clocks[m->from];
    const double start = max_of(sender->port, p->times[message]);

    (void)diag;
    sender->port = start + cost->occupancy(cost->self, m->from, m->to, m->send->span.bytes);
    p->times[message] = start + cost->p2p(cost->self, m->from, m->to, m->send->span.bytes);
    return HITOP_OK;
}

static void arrive(void *self, size_t message)
{
    const struct prediction *p = self;
    struct clock *receiver = &p->clocks[p->matching->messages[message].to];

    receiver->arrived = max_of(receiver->arrived, p->times[message]);
}

static void local(void *self, int rank, const struct hitop_step *step)
{
    const struct prediction *p = self;

    if (p->cost->local) {
        p->clocks[rank].port += p->cost->local(p->cost->self, rank, step->span.bytes);
    }
}

static void fence(void *self, int rank)
{
    const struct prediction *p = self;
    struct clock *c = &p->clocks[rank];

    c->entered = c->port = c->arrived = max_of(c->port, c->arrived);
}

enum hitop_status hitop_sched_predict(struct hitop_sched *const *scheds, int size,
                                      const struct hitop_cost *cost, double *finish,
                                      struct hitop_diag *diag)
{
    struct matching matching = {0};
    struct prediction p = {&matching, cost, NULL, NULL};
    const struct sched_visitor visitor = {&p, post, leave, arrive, local, fence};
    enum hitop_status status;

    if (cost->nranks < size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks do not cover %d",
                          cost->nranks, size);
    }
    status = matching_init(&matching, scheds, size, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    p.clocks = calloc((size_t)size, sizeof(*p.clocks));
    p.times = calloc(matching.nmessages + 1, sizeof(*p.times));
    if (!p.clocks || !p.times) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        goto out;
    }
    /* a send waits for its receive to be posted: that of a long message does, and only so can the
     * time of the post be known when the send is priced */
    status = sched_run(scheds, size, &matching, HITOP_SEND_SYNCHRONOUS, &visitor, diag);
    for (int r = 0; r < size && status == HITOP_OK; r++) {
        finish[r] = p.clocks[r].entered;
    }

out:
    free(p.times);
    free(p.clocks);
    matching_fini(&matching);
    return status;
}
