/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prepare_mpi.c - make a communicator ready for two-level collectives, on all ranks or on none.
 *
 * Every step is a collective in which all ranks take part whatever happened to them before;
 * failures are remembered and agreed upon before a step that needs them not to have happened, so
 * that no rank is left waiting for another.
 */
#include <config.h>

#include "coll/runtime/wire_mpi.h"
#include "coll/runtime/yields_mpi.h"
#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/job_thresholds.h"
#include "coll/twolevel/meet_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"
#include "coll/twolevel/watchdog_mpi.h"
#include "hitop/text.h"

#include "hierarchy/job/crowding_mpi.h"

#include <stdatomic.h>
#include <stdlib.h>

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
#ifndef HITOP_SMPI /* there the order is another one, and messages of two such communicators meet */
    if (c->settings.per_node == 0) {
        return host;
    }
#endif
    hitop_trouble_note_mpi(t, PMPI_Comm_rank(host, &local), "MPI_Comm_rank failed");
    if (PMPI_Comm_split(host, c->settings.per_node ? local / c->settings.per_node : 0, c->rank,
                        &node) != MPI_SUCCESS) {
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

/*
 * Called while a rank waits in shared memory: move the messages of the whole process. It looks for
 * a message that never comes, because MPI may be content with one that is there and move nothing.
 */
static void move_mpi(void *context)
{
    const struct hitop_comm *c = context;
    const int held = hitop_mpi_hold_yields(); /* who waits yields anyhow */
    int flag = 0;

    (void)PMPI_Iprobe(c->rank, c->no_tag, c->wire, &flag, MPI_STATUS_IGNORE);
    hitop_mpi_release_yields(held);
}

/* Spin long only where every rank has a processor to itself. */
static void choose_waiting(struct hitop_comm *c, MPI_Comm node, struct hitop_trouble *t)
{
    struct crowding crowding;
    int alone;

    hitop_trouble_note_mpi(t, hitop_crowding_find(c->wire, node, c->said, &crowding),
                           "MPI_Allgather failed");
    c->is_bound = crowding.is_bound;
    alone = crowding.nranks <= crowding.nprocessors;
    c->wait = (struct hitop_wait){.spins = hitop_wait_spins(alone),
                                  .alone = alone,
                                  .mpi_yields = !alone && hitop_mpi_yields(),
                                  .progress = move_mpi,
                                  .mode = (enum hitop_wait_mode)c->settings.wait,
                                  .context = c};
}

/* Reasons of this process alone to stay away, and memory that it needs. */
static void check_process(struct hitop_comm *c, struct hitop_trouble *t)
{
    c->node_of = calloc((size_t)c->size, sizeof(*c->node_of));
    c->first_of = calloc((size_t)c->size, sizeof(*c->first_of));
    c->said = calloc((size_t)c->size, sizeof(*c->said));
    if (!c->node_of || !c->first_of || !c->said) {
        hitop_trouble_note(t, "out of memory");
    }
}

/* Nodes, their shared memory, the ways between them. */
static void set_up(struct hitop_comm *c, MPI_Comm node, struct hitop_trouble *t)
{
    c->tags = (hitop_wire_tags() - 1) / (HITOP_TAGS - 1);
    c->no_tag = hitop_wire_tags();
    map_nodes(c, node, t);
    choose_waiting(c, node, t);
    hitop_watchdog_begin(c);
    if (c->nlocal > 1) {
        hitop_comm_share_memory(c, node, t);
    }
    hitop_serve_nodes_create(c, t);
    if (c->nnodes > 1) {
        hitop_comm_share_model(c, t);
        hitop_eager_find(c, t);
        hitop_trouble_note_mpi(t, hitop_meet_create(c), "out of memory");
    }
}

/* All steps; the smallest rank in trouble, or HITOP_NO_TROUBLE. */
static int prepare(struct hitop_comm *c, MPI_Comm comm, struct hitop_trouble *t)
{
    MPI_Comm node = MPI_COMM_NULL;
    int first;

    check_process(c, t);
    hitop_wire_create(comm, &c->wire, t);
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
    free(c->said);
    c->said = NULL;
    return first;
}

/* With what it has agreed on, and what holds on this node. */
static void tell_ready(const struct hitop_comm *c)
{
    char with[256] = "", *limits = NULL, eager[32];

    if (c->settings.verbose > 1) {
        hitop_settings_tell(&c->settings, with, sizeof(with));
    }
    hitop_comm_report(c, with[0] ? "ready, with " : "ready", with);
    if (c->settings.verbose > 1 && c->nlocal > 1) {
        limits = hitop_job_thresholds_text(&c->thresholds);
        hitop_comm_report(c, "thresholds of rank 0's node: ", limits ? limits : "?");
        free(limits);
    }
    if (c->settings.verbose > 1 && c->nnodes > 1) {
        hitop_text_format_size((size_t)c->eager, eager, sizeof(eager));
        hitop_comm_report(c, "messages leave for other nodes without their receiver up to ", eager);
    }
}

void hitop_comm_prepare(struct hitop_comm *c, MPI_Comm comm)
{
    struct hitop_trouble t = {0};
    const int first = prepare(c, comm, &t);

    if (first != HITOP_NO_TROUBLE) {
        if (c->rank == first) {
            hitop_comm_report(c, "left to MPI: ", t.diag.message);
        }
        hitop_comm_release(c);
        return;
    }
    if (c->rank == 0) {
        tell_ready(c);
    }
    if (c->nnodes > 1) {
        hitop_bcast_begin(c);
    }
    c->mode = HITOP_COMM_READY;
    c->compare.most = c->nnodes > 1 ? c->settings.trial : 0;
    c->compare.wire = c->wire;
    c->compare.log = &c->compared;
    hitop_watchdog_observe(c);
}

void hitop_comm_release(struct hitop_comm *c)
{
    hitop_watchdog_end(c);
    hitop_compare_end(&c->compare, c->mode == HITOP_COMM_READY);
    hitop_meet_free(c);
    hitop_serve_nodes_free(c);
    hitop_comm_drop_memory(c);
    hitop_route_free(c->route);
    c->route = NULL;
    free(c->said);
    c->said = NULL;
    free(c->first_of);
    c->first_of = NULL;
    free(c->node_of);
    c->node_of = NULL;
    hitop_wire_free(&c->wire);
    c->mode = HITOP_COMM_PASS;
}
