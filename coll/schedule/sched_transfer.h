/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_TRANSFER_H
#define SCHED_TRANSFER_H

/* sched_transfer.h - what one message takes where others want the same port. */

#include "coll/schedule/sched_trunks.h"

#include "coll/schedule/sched_match.h"

/* Who is busy until when. Messages must ask in the order of time. */
struct sched_machine {
    const struct hitop_cost *cost;
    double *receiving;          /* [size]: until when a rank receives; NULL: any number at once */
    struct sched_trunk *trunks; /* [cost->ntrunks]; NULL: there are none */
    struct hitop_crossing *crossings; /* of the message at hand */
};

/* A message under way. */
struct sched_transfer {
    double begin;
    double is_free;   /* when its sender is, unless overlap tells */
    double reception; /* seconds for which it takes the port of its receiver */
    double overlap;   /* of them those in which its sender is busy with it, too; 0: not at all */
    double arrival;   /* when all bytes are there, once that is known */
};

/* HITOP_ERR_NOMEM; release with hitop_sched_machine_fini(), also after a failure. */
enum hitop_status hitop_sched_machine_init(struct sched_machine *machine,
                                           const struct hitop_cost *cost, int size,
                                           struct hitop_diag *diag);
void hitop_sched_machine_fini(struct sched_machine *machine);

/*
 * A message starts now. Returns when it needs the port of its receiver. Its sender is free out->overlap after it got
 * that if that is above 0, else at out->is_free.
 */
double hitop_sched_machine_send(struct sched_machine *machine, const struct message *message,
                                double now, struct sched_transfer *out);

/* Whether a message leaves without waiting for its receiver. */
int hitop_sched_machine_is_eager(const struct sched_machine *machine,
                                 const struct message *message);

/* It needs the port now; returns when it gets it. All bytes are there transfer->reception later. */
double hitop_sched_machine_receive(struct sched_machine *machine, int to, double now,
                                   const struct sched_transfer *transfer);

#endif /* SCHED_TRANSFER_H */
