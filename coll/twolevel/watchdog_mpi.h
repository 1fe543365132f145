/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WATCHDOG_MPI_H
#define WATCHDOG_MPI_H

/*
 * watchdog_mpi.h - a rank that waits too long in one operation says for whom, in one line.
 *
 * It changes nothing: programs whose ranks do not all make the same call wait for ever, with any library, and this tells
 * a person which call that is. Settings say how long is too long; each line doubles that for its communicator.
 */

#include "comm_mpi.h"

/* The waits of this communicator are watched from now on, if anybody wants that. */
void watchdog_begin(struct hitop_comm *c);

/* `call` is under way; NULL: none is. */
static inline void watchdog_call(struct hitop_comm *c, const struct call *call)
{
    c->watchdog.call = call;
    c->watchdog.tell = NULL;
}

/* The same of a broadcast of so many bytes. */
static inline void watchdog_bcast(struct hitop_comm *c, int root, size_t bytes)
{
    watchdog_call(c, NULL);
    c->watchdog.root = root;
    c->watchdog.bytes = bytes;
}

/* Whoever waits between nodes, with c->wait, says beforehand how to tell for what: `tell` appends it to a line. */
static inline void watchdog_awaits(struct hitop_comm *c, void (*tell)(const void *what, FILE *line),
                                   const void *what)
{
    c->watchdog.tell = tell;
    c->watchdog.what = what;
}

#endif /* WATCHDOG_MPI_H */
