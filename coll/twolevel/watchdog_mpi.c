/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog_mpi.c - a rank that waits too long in an operation reports in one line for which ranks
 * it waits.
 *
 * A program whose ranks do not all make the same call waits for ever with any library. The watchdog
 * does not change that; it reports which call it is. HITOP_WATCHDOG is the time after which a wait
 * is reported; each report doubles it for its communicator. A waiting rank stores a note in the
 * shared memory of its node long before, so that other ranks know where it waits. Among the ranks
 * of a node that wait for the same ranks, the first one reports.
 */
#include <config.h>

#include "coll/node/node.h"
#include "coll/runtime/message.h"
#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A note: whether the rank waits for other nodes, the operation, its root. */
#define INTERNODE (UINT64_C(1) << 63)
#define OPERATION_SHIFT 32

enum { LISTED = 8 }; /* most ranks that are listed by number */

static enum hitop_operation_id operation_of(const struct hitop_watchdog *w)
{
    return w->now.call ? w->now.call->operation : HITOP_BCAST;
}

/* The root, or -1. */
static int root_of(const struct hitop_watchdog *w)
{
    return !hitop_operation_has_root(&hitop_operations()[operation_of(w)]) ? -1
           : w->now.call                                                   ? w->now.call->root
                                                                           : w->now.root;
}

static uint64_t note_of(const struct hitop_watchdog *w)
{
    return (uint64_t)operation_of(w) << OPERATION_SHIFT | (uint32_t)root_of(w);
}

/* "bcast with root 3" */
static void put_note(uint64_t note, FILE *line)
{
    const int root = (int)(uint32_t)note;

    (void)fputs(hitop_operations()[(note & ~INTERNODE) >> OPERATION_SHIFT].name, line);
    if (root >= 0) {
        fprintf(line, " with root %d", root);
    }
}

/* The length of the messages or blocks of a call, where all have one length. */
static void put_length(const struct hitop_comm *c, FILE *line)
{
    const struct call *call = c->watchdog.now.call;
    const struct call_side *side;

    if (!call) {
        fprintf(line, ", %zu bytes", c->watchdog.now.bytes);
    } else if (call->operation != HITOP_BARRIER) {
        side = call_sends(call, c->rank) ? &call->send : &call->recv;
        side = side->buffer == MPI_IN_PLACE ? &call->recv : side;
        if (!side->counts) {
            fprintf(line, ", %zu bytes", (size_t)side->count * hitop_type_size(side->type));
        }
    }
}

/*
 * Other ranks of the node: the absent ones, those in another operation, or those in the same one.
 */
struct group {
    int n, some[LISTED]; /* number of ranks, and the first of them */
    uint64_t note;       /* of the first rank */
    int internode;       /* the first rank that waits for other nodes; c->size: none */
};

enum { ABSENT, ELSEWHERE, ALIKE, GROUPS };

static void group_ranks(const struct hitop_comm *c, struct group groups[GROUPS])
{
    const uint64_t ours = note_of(&c->watchdog);
    int local = -1;

    for (int g = 0; g < GROUPS; g++) {
        groups[g] = (struct group){.internode = c->size};
    }
    for (int r = 0; r < c->size; r++) {
        uint64_t note = ours;
        enum hitop_wait_state state;
        struct group *g;
        if (c->nlocal == 1 || c->node_of[r] != c->node || ++local == c->local) {
            continue;
        }
        state = hitop_wait_state_of(&c->shared, local, &note);
        if (state == HITOP_STATE_GONE) {
            continue;
        }
        g = &groups[state == HITOP_STATE_ABSENT   ? ABSENT
                    : (note & ~INTERNODE) != ours ? ELSEWHERE
                                                  : ALIKE];
        if (note & INTERNODE && g->internode == c->size) {
            g->internode = r;
        }
        if (g->n == 0) {
            g->note = note;
        }
        if (g->n < LISTED) {
            g->some[g->n] = r;
        }
        g->n++;
    }
}

/* "ranks 3, 5 and 2 more" */
static void put_ranks(const struct group *g, FILE *line)
{
    fprintf(line, "rank%s", g->n > 1 ? "s" : "");
    for (int i = 0; i < g->n && i < LISTED; i++) {
        fprintf(line, "%s %d", i ? "," : "", g->some[i]);
    }
    if (g->n > LISTED) {
        fprintf(line, " and %d more", g->n - LISTED);
    }
}

/* Write for which ranks of the node this rank waits. */
static void print_node(const struct hitop_comm *c, const struct group groups[GROUPS], FILE *line)
{
    const struct group *absent = &groups[ABSENT], *elsewhere = &groups[ELSEWHERE];

    if (elsewhere->n > 0) {
        put_ranks(elsewhere, line);
        (void)fputs(elsewhere->n > 1 ? " wait in " : " waits in ", line);
        put_note(elsewhere->note, line);
    }
    if (absent->n > 0) {
        (void)fputs(elsewhere->n > 0 ? "; " : "", line);
        put_ranks(absent, line);
        (void)fputs(absent->n > 1 ? " are not there" : " is not there", line);
        (void)fputs(c->nnodes > 1 ? ", or in MPI for other nodes" : "", line);
    }
    if (elsewhere->n + absent->n == 0) {
        (void)fputs("all ranks of the node are there", line);
    }
}

/* Is this rank the first of those that would report the same wait? */
static int shall_report(const struct hitop_comm *c, const struct group groups[GROUPS],
                        int is_internode)
{
    const struct group *alike = &groups[ALIKE];

    if (is_internode) {
        return c->rank < alike->internode;
    }
    return (alike->n == 0 || c->rank < alike->some[0]) &&
           (groups[ABSENT].n + groups[ELSEWHERE].n > 0 || alike->internode == c->size);
}

/* The line; NULL when out of memory. */
static char *compose(const struct hitop_comm *c, const struct group groups[GROUPS],
                     int is_internode, uint64_t waited)
{
    char name[MPI_MAX_OBJECT_NAME], host[MPI_MAX_PROCESSOR_NAME] = "?", *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);

    if (!line) {
        return NULL;
    }
    hitop_comm_name(c, name);
    (void)PMPI_Get_processor_name(host, &(int){0});
    fprintf(line, "hitop: rank %d of %s on %s has waited %" PRIu64 " s in operation %" PRIu64 ", ",
            c->rank, name, host, waited / 1000000000u, c->seq);
    put_note(note_of(&c->watchdog), line);
    put_length(c, line);
    (void)fputs(": ", line);
    if (is_internode && c->watchdog.now.print) {
        c->watchdog.now.print(c->watchdog.now.what, line);
    } else if (is_internode) {
        (void)fputs("other nodes", line);
    } else {
        print_node(c, groups, line);
    }
    (void)fputc('\n', line);
    if (fclose(line) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void report_wait(struct hitop_comm *c, int is_internode, uint64_t waited)
{
    struct group groups[GROUPS];
    char *text;

    group_ranks(c, groups);
    text = shall_report(c, groups, is_internode) ? compose(c, groups, is_internode, waited) : NULL;
    if (text) {
        c->watchdog.patience *= 2;
        hitop_message_text(text);
        free(text);
    }
}

static void watch(struct hitop_wait *wait, int again)
{
    struct hitop_comm *c = wait->context;
    struct hitop_watchdog *w = &c->watchdog;
    const int is_internode = wait == &c->wait;

    observed_is_alive(&w->observed, hitop_wait_clock());
    if (c->mode != HITOP_COMM_READY) {
        return;
    }
    if (!again) {
        w->since = hitop_wait_clock();
        if (c->nlocal > 1) {
            hitop_wait_state_note(&c->shared, note_of(w) | (is_internode ? INTERNODE : 0));
        }
    } else if (w->reported != c->seq && hitop_wait_clock() - w->since > w->patience) {
        w->reported = c->seq;
        report_wait(c, is_internode, hitop_wait_clock() - w->since);
    }
}

void hitop_watchdog_begin(struct hitop_comm *c)
{
    if (c->settings.watchdog > 0) {
        c->watchdog.patience = (uint64_t)c->settings.watchdog * 1000000000u;
        c->wait.watch = watch;
    }
}

#ifndef HITOP_SMPI

/*
 * A thread reports ranks that wait inside MPI.
 *
 * The thread must not call MPI, and need not: it gets names beforehand. Each rank stores in the
 * shared memory of its node where it waits, so that among those in the same call the first one
 * reports.
 */

#define LEFT (UINT64_C(1) << 63)

static struct hitop_comm *comm_of(struct observed *o)
{
    return (struct hitop_comm *)(void *)((char *)o -
                                         offsetof(struct hitop_comm, watchdog.observed));
}

/* The same number on all ranks of a call, and never 0. */
static uint64_t mark_of(uint64_t what, uint64_t number)
{
    return (what >> 32) << 40 | (number + 1) % (UINT64_C(1) << 40);
}

static void show_inside(struct observed *o, uint64_t what, uint64_t number)
{
    struct hitop_comm *c = comm_of(o);

    if (c->nlocal > 1) {
        hitop_wait_state_mark(&c->shared, number ? mark_of(what, number) : 0);
    }
}

static int report_inside(struct observed *o, uint64_t what, uint64_t number, uint64_t ns)
{
    const struct hitop_comm *c = comm_of(o);
    const struct hitop_operation *operation = &hitop_operations()[(what & ~LEFT) >> 32];
    char root[32] = "";

    for (int local = 0; local < c->local; local++) {
        if (hitop_wait_state_marked(&c->shared, local) == mark_of(what, number)) {
            return 1; /* that rank reports it */
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
        w->observed.report = report_inside;
        w->observed.show = show_inside;
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

#else

void hitop_watchdog_observe(struct hitop_comm *c)
{
    (void)c;
}

void hitop_watchdog_end(struct hitop_comm *c)
{
    (void)c;
}

#endif
