/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog_inside_mpi.c - a rank that waits inside MPI, told by a thread.
 *
 * The thread must not call MPI, and need not: names are asked for beforehand. Ranks of a node show in their shared memory
 * where they wait, so that of those who wait in the same call the first one speaks.
 */
#include <config.h>

#include "coll/twolevel/watchdog_mpi.h"

#include "coll/node/presence.h"

#include <inttypes.h>
#include <string.h>

#define LEFT (UINT64_C(1) << 63)

static struct hitop_comm *comm_of(struct observed *o)
{
    return (struct hitop_comm *)(void *)((char *)o -
                                         offsetof(struct hitop_comm, watchdog.observed));
}

/* The same in all ranks of a call, and never 0. */
static uint64_t mark_of(uint64_t what, uint64_t number)
{
    return (what >> 32) << 40 | (number + 1) % (UINT64_C(1) << 40);
}

static void show(struct observed *o, uint64_t what, uint64_t number)
{
    struct hitop_comm *c = comm_of(o);

    if (c->nlocal > 1) {
        hitop_presence_mark(&c->shared, number ? mark_of(what, number) : 0);
    }
}

static int tell(struct observed *o, uint64_t what, uint64_t number, uint64_t ns)
{
    const struct hitop_comm *c = comm_of(o);
    const struct hitop_operation *operation = &hitop_operations()[(what & ~LEFT) >> 32];
    char root[32] = "";

    for (int local = 0; local < c->local; local++) {
        if (hitop_presence_marked(&c->shared, local) == mark_of(what, number)) {
            return 1; /* it says the same */
        }
    }
    if (hitop_operation_has_root(operation)) {
        (void)snprintf(root, sizeof(root), " with root %d", (int)(uint32_t)what);
    }
    fprintf(
        stderr,
        "hitop: rank %d of %s on %s has waited %" PRIu64 " s in %s %" PRIu64 ", %s%s: inside MPI\n",
        c->rank, c->watchdog.name, c->watchdog.host, ns / 1000000000u,
        what & LEFT ? "a call left to MPI, number" : "operation", number, operation->name, root);
    return 1;
}

void hitop_watchdog_observe(struct hitop_comm *c)
{
    struct hitop_watchdog *w = &c->watchdog;

    if (c->settings.watchdog > 0) {
        hitop_comm_name(c, w->name);
        strcpy(w->host, "?");
        (void)PMPI_Get_processor_name(w->host, &(int){0});
        w->observed.patience = w->patience;
        w->observed.tell = tell;
        w->observed.show = show;
        w->is_observed = 1;
        hitop_observer_add(&w->observed);
    }
}

void hitop_watchdog_end(struct hitop_comm *c)
{
    if (c->watchdog.is_observed) {
        c->watchdog.is_observed = 0;
        hitop_observer_remove(&c->watchdog.observed);
    }
}
