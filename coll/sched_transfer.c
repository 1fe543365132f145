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

#include "sched_transfer.h"

#include <math.h>
#include <stdlib.h>

/* Prices add up but for rounding: what overlaps less than this share of the time does not overlap. */
static const double rounding = 1e-9;

enum hitop_status sched_machine_init(struct sched_machine *machine, const struct hitop_cost *cost,
                                     int size, struct hitop_diag *diag)
{
    *machine = (struct sched_machine){.cost = cost};
    if (cost->reception) {
        machine->receiving = calloc((size_t)size, sizeof(*machine->receiving));
        if (!machine->receiving) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
        }
    }
    return HITOP_OK;
}

void sched_machine_fini(struct sched_machine *machine)
{
    free(machine->receiving);
}

double sched_machine_send(struct sched_machine *machine, int from, int to, size_t bytes, double now,
                          struct sched_transfer *out, double *is_free)
{
    const struct hitop_cost *cost = machine->cost;
    const double p2p = cost->p2p(cost->self, from, to, bytes);
    const double occupancy = cost->occupancy(cost->self, from, to, bytes);

    *out = (struct sched_transfer){0};
    if (cost->reception) {
        out->reception = cost->reception(cost->self, from, to, bytes);
        out->overlap = occupancy + out->reception - p2p;
        out->overlap = out->overlap > rounding * p2p ? out->overlap : 0;
    }
    *is_free = now + occupancy;
    return now + (p2p - out->reception);
}

double sched_machine_receive(struct sched_machine *machine, int to, double now,
                             const struct sched_transfer *transfer)
{
    double begin = now;

    if (machine->receiving) {
        begin = fmax(now, machine->receiving[to]);
        machine->receiving[to] = begin + transfer->reception;
    }
    return begin;
}
