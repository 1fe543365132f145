/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prepare_mpi.c - make a communicator ready for two-level collectives, on all ranks or on none.
 *
 * Every step is a collective in which all ranks take part whatever happened to them before; failures are
 * remembered and agreed upon before a step that needs them not to have happened, so that no rank is left
 * waiting for another.
 */
#include <config.h>

#include "../runtime/plans_mpi.h"
#include "../runtime/wire_mpi.h"
#include "comm_mpi.h"

#include "hitop/version.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What the environment of this process says, read once. */
static struct {
    struct hitop_settings asked;
    struct hitop_trouble trouble; /* a wrong value */
    _Atomic int told;             /* somebody has complained about it */
} environment;

static void read_environment(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_settings_read(&environment.asked, &diag) != HITOP_OK) {
        hitop_trouble_note(&environment.trouble, diag.message);
    }
}

static void report(const struct hitop_comm *c, const char *what, const char *why)
{
    if (environment.asked.verbose) {
        fprintf(stderr, "hitop %s: communicator of %d ranks: %s%s\n", hitop_version(), c->size,
                what, why);
    }
}

/* Somebody names algorithms, which makes operations plans. */
static int asks_for_plans(MPI_Comm comm)
{
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};

    plans_ask(&named, comm);
    return named_operations(&named) != 0;
}

void hitop_comm_agree(struct hitop_comm *c, MPI_Comm comm)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct {
        struct hitop_settings settings;
        int away; /* whoever wants to stay away, the smallest rank of them */
        int plans;
    } most;
    int first;

    (void)pthread_once(&once, read_environment);
    most.settings = environment.asked;
    most.away = environment.trouble.failed || most.settings.off ? c->size - c->rank : 0;
    most.plans = c->rank == 0 && asks_for_plans(comm);
    if (PMPI_Allreduce(MPI_IN_PLACE, &most, sizeof(most) / sizeof(int), MPI_INT, MPI_MAX, comm) !=
        MPI_SUCCESS) {
        c->mode = HITOP_COMM_PASS;
        return;
    }
    c->agreed = 1;
    c->settings = most.settings;
    if (most.plans) {
        (void)plans_ready(comm);
    }
    if (most.away == 0) {
        return;
    }
    c->mode = HITOP_COMM_PASS;
    first = c->size - most.away;
    if (!environment.trouble.failed) {
        if (c->rank == first) {
            report(c, "left to MPI: ", "HITOP_DISABLE");
        }
    } else if (!atomic_exchange(&environment.told, 1) && c->rank == first) {
        fprintf(stderr, "hitop: %s; collectives are left to MPI\n",
                environment.trouble.diag.message);
    }
}

/* Ranks on this host, in the order of the communicator, or `per_node` of them. */
static MPI_Comm split_by_node(const struct hitop_comm *c, struct hitop_trouble *t)
{
    MPI_Comm host = MPI_COMM_NULL, node = MPI_COMM_NULL;
    int local = 0;

    if (PMPI_Comm_split_type(c->wire, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &host) !=
        MPI_SUCCESS) {
        hitop_trouble_note(t, "MPI_Comm_split_type failed");
        return MPI_COMM_NULL;
    }
    if (c->settings.per_node == 0) {
        return host;
    }
    hitop_trouble_note_mpi(t, PMPI_Comm_rank(host, &local), "MPI_Comm_rank failed");
    if (PMPI_Comm_split(host, local / c->settings.per_node, c->rank, &node) != MPI_SUCCESS) {
        hitop_trouble_note(t, "MPI_Comm_split failed");
        node = MPI_COMM_NULL;
    }
    (void)PMPI_Comm_free(&host);
    return node;
}

/* Fill node_of, first_of, nnodes, node. */
static void map_nodes(struct hitop_comm *c, MPI_Comm node, struct hitop_trouble *t)
{
    int first = c->rank;

    hitop_trouble_note_mpi(t, PMPI_Comm_rank(node, &c->local), "MPI_Comm_rank failed");
    hitop_trouble_note_mpi(t, PMPI_Comm_size(node, &c->nlocal), "MPI_Comm_size failed");
    hitop_trouble_note_mpi(t, PMPI_Bcast(&first, 1, MPI_INT, 0, node), "MPI_Bcast failed");
    hitop_trouble_note_mpi(t, PMPI_Allgather(&first, 1, MPI_INT, c->node_of, 1, MPI_INT, c->wire),
                           "MPI_Allgather failed");
    c->nnodes = 0;
    for (int r = 0; r < c->size; r++) { /* a node's first rank stands before its other ranks */
        if (c->node_of[r] == r) {
            c->first_of[c->nnodes] = r;
            c->node_of[r] = c->nnodes++;
        } else {
            c->node_of[r] = c->node_of[c->node_of[r]];
        }
    }
    c->node = c->node_of[c->rank];
}

/* Called while a rank waits in shared memory: move the messages of the whole process. */
static void move_mpi(void *context)
{
    const struct hitop_comm *c = context;
    int flag = 0;

    (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->wire, &flag, MPI_STATUS_IGNORE);
}

/* Spin long only where every local rank has a processor to itself. */
static void choose_waiting(struct hitop_comm *c, MPI_Comm node, struct hitop_trouble *t)
{
    cpu_set_t allowed;

    CPU_ZERO(&allowed);
    (void)sched_getaffinity(0, sizeof(allowed), &allowed);
    hitop_trouble_note_mpi(
        t, PMPI_Allreduce(MPI_IN_PLACE, &allowed, sizeof(allowed), MPI_BYTE, MPI_BOR, node),
        "MPI_Allreduce failed");
    c->wait = (struct hitop_wait){.spins = CPU_COUNT(&allowed) < c->nlocal ? HITOP_WAIT_SPINS_SHARED
                                                                           : HITOP_WAIT_SPINS_ALONE,
                                  .progress = move_mpi,
                                  .mode = (enum hitop_wait_mode)c->settings.wait,
                                  .context = c};
}

/* Reasons of this process alone to stay away, and memory that it needs. */
static void check_process(struct hitop_comm *c, struct hitop_trouble *t)
{
    c->node_of = calloc((size_t)c->size, sizeof(*c->node_of));
    c->first_of = calloc((size_t)c->size, sizeof(*c->first_of));
    if (!c->node_of || !c->first_of) {
        hitop_trouble_note(t, "out of memory");
    }
}

/* Nodes, their shared memory, the ways between them. */
static void set_up(struct hitop_comm *c, MPI_Comm node, struct hitop_trouble *t)
{
    c->tags = wire_tags() / 2; /* two an operation */
    map_nodes(c, node, t);
    choose_waiting(c, node, t);
    if (c->nlocal > 1) {
        hitop_comm_share_memory(c, node, t);
    }
    if (c->nnodes > 1) {
        hitop_comm_share_model(c, t);
    }
}

/* All steps; the smallest rank in trouble, or HITOP_NO_TROUBLE. */
static int prepare(struct hitop_comm *c, MPI_Comm comm, struct hitop_trouble *t)
{
    MPI_Comm node = MPI_COMM_NULL;
    int first;

    check_process(c, t);
    wire_create(comm, &c->wire, t);
    first = hitop_trouble_agree(t, comm);
    if (first != HITOP_NO_TROUBLE) {
        return first;
    }
    node = split_by_node(c, t);
    first = hitop_trouble_agree(t, c->wire);
    if (first == HITOP_NO_TROUBLE) {
        set_up(c, node, t);
        first = hitop_trouble_agree(t, c->wire);
    }
    if (node != MPI_COMM_NULL) {
        (void)PMPI_Comm_free(&node);
    }
    return first;
}

void hitop_comm_prepare(struct hitop_comm *c, MPI_Comm comm)
{
    struct hitop_trouble t = {0};
    const int first = prepare(c, comm, &t);

    if (first != HITOP_NO_TROUBLE) {
        if (c->rank == first) {
            report(c, "left to MPI: ", t.diag.message);
        }
        hitop_comm_release(c);
        return;
    }
    if (c->rank == 0) {
        char with[256] = "";

        if (environment.asked.verbose > 1) {
            hitop_settings_tell(&c->settings, with, sizeof(with));
        }
        report(c, with[0] ? "ready, with " : "ready", with);
    }
    c->mode = HITOP_COMM_READY;
}

void hitop_comm_release(struct hitop_comm *c)
{
    hitop_comm_drop_memory(c);
    hitop_route_free(c->route);
    c->route = NULL;
    free(c->first_of);
    c->first_of = NULL;
    free(c->node_of);
    c->node_of = NULL;
    wire_free(&c->wire);
    c->mode = HITOP_COMM_PASS;
}
