/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_mpi.c - the life cycle of a communicator's state: creation, agreement, preparation, release.
 *
 * Each step is collective, and all ranks take part in it, even after a failure. The ranks record
 * failures and agree on them before a step that requires success, so that no rank waits for another
 * in vain.
 */
#include <config.h>

#include "coll/runtime/message.h"
#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/wire_mpi.h"
#include "coll/runtime/yields_mpi.h"
#include "coll/twolevel/bcast_internode.h"
#include "coll/twolevel/serve_mpi.h"
#include "hierarchy/job/oversubscription_mpi.h"
#include "hitop/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Does the program or its user name algorithms, so that operations get plans? */
static void ask_for_plans(MPI_Comm comm, int *plans, int *choose_now)
{
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};

    hitop_plans_ask(&named, comm);
    *plans = hitop_named_operations(&named) != 0;
    *choose_now |= named.when == NAMED_NOW;
}

/*
 * Once, by rank 0 of MPI_COMM_WORLD: report variables that are probably misspelled, and with
 * HITOP_VERBOSE all unknown HITOP_ variables.
 */
static void report_strays(const struct hitop_comm *c)
{
    static _Atomic int is_reported;
    const char *meant;
    char name[64];
    size_t next = 0;

    if (atomic_exchange(&is_reported, 1)) {
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

/*
 * Disable two levels on the communicator. `first`, the smallest rank that disables them, reports
 * the reason; a wrong value of a variable is reported once.
 */
static void disable(struct hitop_comm *c, int first, int is_wrong, const struct hitop_diag *diag)
{
    static _Atomic int is_reported;

    c->mode = HITOP_COMM_PASS;
    if (!is_wrong) {
        if (c->rank == first) {
            hitop_comm_report(c, "left to MPI: ", c->is_poor ? "out of memory" : "HITOP_DISABLE");
        }
    } else if (!atomic_exchange(&is_reported, 1) && c->rank == first) {
        hitop_message("hitop: %s; collectives are left to MPI\n", diag->message);
    }
}

void hitop_comm_agree(struct hitop_comm *c, MPI_Comm comm)
{
    struct {
        struct hitop_settings settings;
        int disabling; /* size - rank where this rank disables two levels, else 0 */
        int plans, choose_now;
        /* of rank 0: its rank in MPI_COMM_WORLD, and how many communicators it counted before */
        int founder, serial;
    } most;
    static _Atomic int founded;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int is_wrong = hitop_settings_read(&most.settings, &diag) != HITOP_OK;

    most.disabling = is_wrong || most.settings.off || c->is_poor ? c->size - c->rank : 0;
    most.plans = 0;
    most.choose_now = hitop_plans_choose_now(comm);
    if (c->rank == 0) {
        ask_for_plans(comm, &most.plans, &most.choose_now);
    }
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
    c->bcast_messages = most.choose_now ? SIZE_MAX : HITOP_BCAST_MESSAGES;
    c->attribute.order = (uint64_t)most.founder << 32 | (uint64_t)most.serial;
    if (c->rank == 0 && most.founder == 0) {
        report_strays(c);
    }
    if (c->settings.stats) {
        hitop_stats_begin(c);
    }
    if (most.plans) {
        (void)hitop_plans_ready(comm);
    }
    if (most.disabling > 0) {
        disable(c, c->size - most.disabling, is_wrong, &diag);
    }
}

/* Release all that the preparation made; then MPI serves every call. */
static void release(struct hitop_comm *c)
{
    hitop_watchdog_end(c);
    hitop_compare_end(&c->compare, c->mode == HITOP_COMM_READY);
    hitop_announcements_free(c);
    hitop_wire_free(&c->leaders);
    hitop_comm_drop_memory(c);
    hitop_bcast_choices_free(c->choices);
    c->choices = NULL;
    free(c->said);
    c->said = NULL;
    free(c->first_of);
    c->first_of = NULL;
    free(c->node_of);
    c->node_of = NULL;
    hitop_wire_free(&c->wire);
    c->mode = HITOP_COMM_PASS;
}

/* Ranks on this host in the order of the communicator, in groups of `per_node` if that is set. */
static MPI_Comm split_by_node(const struct hitop_comm *c, struct hitop_failure *t)
{
    MPI_Comm host = MPI_COMM_NULL, node = MPI_COMM_NULL;
    int local = 0;

    if (PMPI_Comm_split_type(c->wire, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &host) !=
        MPI_SUCCESS) {
        hitop_failure_note(t, "MPI_Comm_split_type failed");
        return MPI_COMM_NULL;
    }
/* in SMPI `host` has another order, and messages of two such communicators are confused */
#ifndef HITOP_SMPI
    if (c->settings.per_node == 0) {
        return host;
    }
#endif
    hitop_failure_note_mpi(t, PMPI_Comm_rank(host, &local), "MPI_Comm_rank failed");
    if (PMPI_Comm_split(host, c->settings.per_node ? local / c->settings.per_node : 0, c->rank,
                        &node) != MPI_SUCCESS) {
        hitop_failure_note(t, "MPI_Comm_split failed");
        node = MPI_COMM_NULL;
    }
    (void)PMPI_Comm_free(&host);
    return node;
}

/* Fill node_of, first_of, nnodes, node. */
static void map_nodes(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t)
{
    int first = c->rank;

    hitop_failure_note_mpi(t, PMPI_Comm_rank(node, &c->local), "MPI_Comm_rank failed");
    hitop_failure_note_mpi(t, PMPI_Comm_size(node, &c->nlocal), "MPI_Comm_size failed");
    hitop_failure_note_mpi(t, PMPI_Bcast(&first, 1, MPI_INT, 0, node), "MPI_Bcast failed");
    hitop_failure_note_mpi(t, PMPI_Allgather(&first, 1, MPI_INT, c->node_of, 1, MPI_INT, c->wire),
                           "MPI_Allgather failed");
    c->nnodes = 0;
    /* the first rank of a node is smaller than its other ranks */
    for (int r = 0; r < c->size; r++) {
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
 * Progress the messages of the whole process; called while a rank waits in shared memory. It probes
 * for a message that never arrives, because MPI may return at once with a message that is there and
 * progress nothing.
 */
static void move_mpi(void *context)
{
    const struct hitop_comm *c = context;
    const int held = hitop_mpi_hold_yields(); /* a waiting rank yields by itself */
    int flag = 0;

    (void)PMPI_Iprobe(c->rank, c->no_tag, c->wire, &flag, MPI_STATUS_IGNORE);
    hitop_mpi_release_yields(held);
}

/* Spin for long only where every rank has its own processor. */
static void choose_waiting(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t)
{
    struct oversubscription oversubscription;
    int alone;

    hitop_failure_note_mpi(t,
                           hitop_oversubscription_find(c->wire, node, c->said, &oversubscription),
                           "MPI_Allgather failed");
    alone = oversubscription.nranks <= oversubscription.nprocessors;
    c->wait = (struct hitop_wait){.spins = hitop_wait_spins(alone),
                                  .alone = alone,
                                  .progress = move_mpi,
                                  .mode = (enum hitop_wait_mode)c->settings.wait,
                                  .context = c};
}

/* Allocate the memory that only this process needs; it may fail on this process alone. */
static void check_process(struct hitop_comm *c, struct hitop_failure *t)
{
    c->node_of = calloc((size_t)c->size, sizeof(*c->node_of));
    c->first_of = calloc((size_t)c->size, sizeof(*c->first_of));
    c->said = calloc((size_t)c->size, sizeof(*c->said));
    if (!c->node_of || !c->first_of || !c->said) {
        hitop_failure_note(t, "out of memory");
    }
}

/*
 * Prepare nodes and their shared memory; with several nodes the model, the eager limit and
 * announcements, too.
 */
static void set_up(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t)
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
        hitop_comm_find_eager(c, t);
        hitop_failure_note_mpi(t, hitop_announcements_create(c), "out of memory");
    }
}

/* All steps; returns the smallest rank with a failure, or HITOP_NO_FAILURE. */
static int prepare(struct hitop_comm *c, MPI_Comm comm, struct hitop_failure *t)
{
    MPI_Comm node = MPI_COMM_NULL;
    int first;

    check_process(c, t);
    hitop_wire_create(comm, &c->wire, t);
    first = hitop_failure_agree(t, comm);
    if (first != HITOP_NO_FAILURE) {
        return first;
    }
    node = split_by_node(c, t);
    first = hitop_failure_agree(t, c->wire);
    if (first == HITOP_NO_FAILURE) {
        set_up(c, node, t);
        first = hitop_failure_agree(t, c->wire);
    }
    if (node != MPI_COMM_NULL) {
        (void)PMPI_Comm_free(&node);
    }
    free(c->said);
    c->said = NULL;
    return first;
}

/* All thresholds in one line, for users; to be freed, or NULL. */
static char *thresholds_text(const struct hitop_thresholds *row)
{
    char *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);

    if (!line) {
        return NULL;
    }
    hitop_thresholds_print(row, ", ", line);
    if (fclose(line) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Report that the communicator is ready, the settings, and the thresholds of this node. */
static void report_ready(const struct hitop_comm *c)
{
    char with[256] = "", *limits = NULL, eager[32];

    if (c->settings.verbose > 1) {
        hitop_settings_print(&c->settings, with, sizeof(with));
    }
    hitop_comm_report(c, with[0] ? "ready, with " : "ready", with);
    if (c->settings.verbose > 1 && c->nlocal > 1) {
        limits = thresholds_text(&c->thresholds);
        hitop_comm_report(c, "thresholds of rank 0's node: ", limits ? limits : "?");
        free(limits);
    }
    if (c->settings.verbose > 1 && c->nnodes > 1) {
        hitop_text_format_size((size_t)c->eager, eager, sizeof(eager));
        hitop_comm_report(c, "internode eager limit: ", eager);
    }
}

/* End the counting mode: READY or PASS, the same on all ranks. Collective over `comm`. */
static void end_counting(struct hitop_comm *c, MPI_Comm comm)
{
    struct hitop_failure t = {0};
    const int first = prepare(c, comm, &t);

    if (first != HITOP_NO_FAILURE) {
        if (c->rank == first) {
            hitop_comm_report(c, "left to MPI: ", t.diag.message);
        }
        release(c);
        return;
    }
    if (c->rank == 0) {
        report_ready(c);
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

static struct attribute_reserve reserve;

void hitop_comm_reserve(void)
{
    hitop_attribute_fill(&reserve, sizeof(struct hitop_comm));
}

static struct attribute *create_state(MPI_Comm comm)
{
    int is_poor;
    struct hitop_comm *c = hitop_attribute_memory(&reserve, sizeof(*c), &is_poor);

    if (!c) { /* the other ranks wait for this one to agree */
        hitop_failure_abort(comm, "out of memory");
    }
    c->user = comm;
    c->wire = MPI_COMM_NULL;
    c->leaders = MPI_COMM_NULL;
    c->is_poor = is_poor;
    if (!hitop_attribute_group(comm, &c->rank, &c->size)) {
        c->mode = HITOP_COMM_PASS;
    }
    return &c->attribute;
}

static void release_state(struct attribute *state)
{
    hitop_stats_end((struct hitop_comm *)state);
    release((struct hitop_comm *)state);
    hitop_compare_log_free(&((struct hitop_comm *)state)->compared);
}

struct hitop_comm *hitop_comm_find(MPI_Comm comm)
{
    static struct attribute_kind kind =
        ATTRIBUTE_KIND(ATTRIBUTE_TWOLEVEL, create_state, release_state);

    return (struct hitop_comm *)hitop_attribute_of(&kind, comm);
}

void hitop_comm_count(struct hitop_comm *c, MPI_Comm comm)
{
    if (!c->agreed) {
        hitop_comm_agree(c, comm);
    }
    if (c->mode == HITOP_COMM_COUNTING && c->counted++ >= c->settings.lazy) {
        end_counting(c, comm);
    }
}
