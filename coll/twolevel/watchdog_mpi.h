/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WATCHDOG_MPI_H
#define WATCHDOG_MPI_H

/*
 * watchdog_mpi.h - a rank that waits too long in one operation says for whom, in one line.
 *
 * It changes nothing: programs whose ranks do not all make the same call wait for ever, with any
 * library, and this tells a person which call that is. Settings say how long is too long; each line
 * doubles that for its communicator.
 */

#include "coll/twolevel/comm_state_mpi.h"

/*
 * The waits of this communicator in memory of the node are watched from now on, if anybody wants
 * that.
 */
void hitop_watchdog_begin(struct hitop_comm *c);

/* The same of what it does inside MPI, once it is ready. Nothing where ranks are simulated. */
#ifdef HITOP_SMPI
static inline void hitop_watchdog_observe(struct hitop_comm *c)
{
    (void)c;
}
static inline void hitop_watchdog_end(struct hitop_comm *c)
{
    (void)c;
}
#else
void hitop_watchdog_observe(struct hitop_comm *c);
void hitop_watchdog_end(struct hitop_comm *c);
#endif

/*
 * A call is made, which may wait inside MPI: by us, or by MPI alone, the `left`-th of its kind that
 * is left to it, 0: by us. A thread sees it if it does not end; see observer.h.
 */
static inline void watchdog_enter(struct hitop_comm *c, enum hitop_operation_id operation, int root,
                                  uint64_t left)
{
    observed_enter(&c->watchdog.observed,
                   (uint64_t)(left != 0) << 63 | (uint64_t)operation << 32 | (uint32_t)root,
                   left ? left : c->seq);
}

static inline void watchdog_leave(struct hitop_comm *c)
{
    observed_leave(&c->watchdog.observed);
}

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

/*
 * Whoever waits between nodes, with c->wait, says beforehand how to tell for what: `tell` appends
 * it to a line.
 */
static inline void watchdog_awaits(struct hitop_comm *c, void (*tell)(const void *what, FILE *line),
                                   const void *what)
{
    c->watchdog.tell = tell;
    c->watchdog.what = what;
}

#endif /* WATCHDOG_MPI_H */
