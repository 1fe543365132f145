/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_transfer.c - what one message takes where others want the same port.
 *
 * Idea:  a message that nobody disturbs keeps its sender for the first seconds of its time, its receiver for the
 *        last ones. Where the two stretches overlap, both are busy with it at once for as long: what delays the
 *        receiver then delays the sender. So ends that are busy all the time meet, and ends that are busy
 *        with their own share (LogP's gap, LMO's C + t m) do not wait for each other.
 */
#include <config.h>

#include "coll/schedule/sched_transfer.h"

#include <math.h>
#include <stdlib.h>

/* Prices add up but for rounding: what overlaps less than this share of the time does not overlap. */
static const double rounding = 1e-9;

enum hitop_status hitop_sched_machine_init(struct sched_machine *machine,
                                           const struct hitop_cost *cost, int size,
                                           struct hitop_diag *diag)
{
    int is_complete = 1;

    *machine = (struct sched_machine){.cost = cost};
    if (cost->reception) {
        machine->receiving = calloc((size_t)size, sizeof(*machine->receiving));
        is_complete = machine->receiving != NULL;
    }
    if (cost->crossings && cost->ntrunks > 0) {
        machine->trunks = calloc((size_t)cost->ntrunks, sizeof(*machine->trunks));
        machine->crossings = calloc((size_t)cost->max_crossings + 1, sizeof(*machine->crossings));
        is_complete = is_complete && machine->trunks && machine->crossings;
    }
    return is_complete ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
}

void hitop_sched_machine_fini(struct sched_machine *machine)
{
    for (int i = 0; machine->trunks && i < machine->cost->ntrunks; i++) {
        hitop_sched_events_fini(&machine->trunks[i].flows);
    }
    free(machine->crossings);
    free(machine->trunks);
    free(machine->receiving);
}

int hitop_sched_machine_is_eager(const struct sched_machine *machine, const struct message *message)
{
    const struct hitop_cost *cost = machine->cost;

    return cost->eager &&
           message->send->span.bytes <= cost->eager(cost->self, message->from, message->to);
}

/* A blocking send of a long message comes back when its receiver has it. */
static int blocks(const struct sched_machine *machine, const struct message *message)
{
    return machine->cost->eager && !message->send->delivers &&
           !hitop_sched_machine_is_eager(machine, message);
}

double hitop_sched_machine_send(struct sched_machine *machine, const struct message *message,
                                double now, struct sched_transfer *out)
{
    const struct hitop_cost *cost = machine->cost;
    const int from = message->from, to = message->to;
    const size_t bytes = message->send->span.bytes;
    const double p2p = cost->p2p(cost->self, from, to, bytes);
    const double occupancy =
        blocks(machine, message) ? p2p : cost->occupancy(cost->self, from, to, bytes);

    *out = (struct sched_transfer){.begin = now, .is_free = now + occupancy};
    if (cost->reception) {
        out->reception = cost->reception(cost->self, from, to, bytes);
        out->overlap = occupancy + out->reception - p2p;
        out->overlap = out->overlap > rounding * p2p ? out->overlap : 0;
    }
    return now + (p2p - out->reception);
}

double hitop_sched_machine_receive(struct sched_machine *machine, int to, double now,
                                   const struct sched_transfer *transfer)
{
    double begin = now;

    if (machine->receiving) {
        begin = fmax(now, machine->receiving[to]);
        machine->receiving[to] = begin + transfer->reception;
    }
    return begin;
}
