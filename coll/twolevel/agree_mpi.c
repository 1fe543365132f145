/* SPDX-License-Identifier: BSD-3-Clause */
/* agree_mpi.c - what the environments of all ranks ask for a communicator. */
#include <config.h>

#include "coll/runtime/message.h"
#include "coll/runtime/plans_mpi.h"
#include "coll/twolevel/settings.h"
#include "coll/twolevel/stats_mpi.h"

#include <stdatomic.h>
#include <unistd.h>

/* Somebody names algorithms, which makes operations plans. */
static int asks_for_plans(MPI_Comm comm)
{
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};

    hitop_plans_ask(&named, comm);
    return hitop_named_operations(&named) != 0;
}

/*
 * Once, by rank 0 of all: names that were probably meant for us, or all such names for users who
 * want to hear it.
 */
static void tell_strays(const struct hitop_comm *c)
{
    static _Atomic int told;
    const char *meant;
    char name[64];
    size_t next = 0;

    if (atomic_exchange(&told, 1)) {
        return;
    }
    while ((meant = hitop_variables_stray(environ, &next, name, sizeof(name)))) {
        if (meant[0]) {
            hitop_message("hitop: %s is not read; %s is\n", name, meant);
        } else if (c->settings.verbose) {
            hitop_message("hitop: %s is not read\n", name);
        }
    }
}

/* The smallest rank that wants to stay away says why, a wrong value once. */
static void stay_away(struct hitop_comm *c, int first, int is_wrong, const struct hitop_diag *diag)
{
    static _Atomic int told;

    c->mode = HITOP_COMM_PASS;
    if (!is_wrong) {
        if (c->rank == first) {
            hitop_comm_report(c, "left to MPI: ", c->is_poor ? "out of memory" : "HITOP_DISABLE");
        }
    } else if (!atomic_exchange(&told, 1) && c->rank == first) {
        hitop_message("hitop: %s; collectives are left to MPI\n", diag->message);
    }
}

void hitop_comm_agree(struct hitop_comm *c, MPI_Comm comm)
{
    struct {
        struct hitop_settings settings;
        int away; /* whoever wants to stay away, the smallest rank of them */
        int plans;
        int founder, serial; /* rank 0 of the communicator: which process, its how many-th one */
    } most;
    static _Atomic int founded;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int is_wrong = hitop_settings_read(&most.settings, &diag) != HITOP_OK;

    most.away = is_wrong || most.settings.off || c->is_poor ? c->size - c->rank : 0;
    most.plans = c->rank == 0 && asks_for_plans(comm);
    most.founder = most.serial = 0;
    if (c->rank == 0) {
        most.serial = atomic_fetch_add(&founded, 1);
        (void)PMPI_Comm_rank(MPI_COMM_WORLD, &most.founder);
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, &most, sizeof(most) / sizeof(int), MPI_INT, MPI_MAX, comm) !=
        MPI_SUCCESS) {
        c->mode = HITOP_COMM_PASS;
        return;
    }
    c->agreed = 1;
    c->settings = most.settings;
    c->attribute.order = (uint64_t)most.founder << 32 | (uint64_t)most.serial;
    if (c->rank == 0 && most.founder == 0) {
        tell_strays(c);
    }
    if (c->settings.stats) {
        hitop_stats_begin(c);
    }
    if (most.plans) {
        (void)hitop_plans_ready(comm);
    }
    if (most.away > 0) {
        stay_away(c, c->size - most.away, is_wrong, &diag);
    }
}
