/* SPDX-License-Identifier: BSD-3-Clause */
/* node_memory_mpi.c - the memory that the ranks of one node share for a communicator. */
#include <config.h>

#include "coll/runtime/job_files.h"
#include "coll/runtime/message.h"
#include "coll/twolevel/comm_state_mpi.h"

#include <stdatomic.h>
#include <stdlib.h>

/*
 * Read the thresholds from the file that HITOP_THRESHOLDS names, if any. An error in the file is
 * reported on standard error once; then the built-in values are used.
 */
static void read_thresholds(int nranks, int alone, struct hitop_thresholds *row)
{
    static _Atomic int is_reported;
    char *path = hitop_job_path("HITOP_THRESHOLDS");
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *row = *hitop_thresholds_for(nranks, alone);
    if (path &&
        (hitop_job_path_check(path, &diag) != HITOP_OK ||
         hitop_thresholds_read(path, nranks, alone, row, &diag) != HITOP_OK) &&
        !atomic_exchange(&is_reported, 1)) {
        hitop_message("hitop: HITOP_THRESHOLDS: %s; going on without the file\n", diag.message);
    }
    free(path);
}

/* What the first rank reports to the other ranks about the memory. */
struct offer {
    struct hitop_arena_sign sign;
    uint64_t place; /* 0: no memory */
    struct hitop_node_layout layout;
    struct hitop_thresholds thresholds;
};

/*
 * Most bytes of a communicator's ring and outboxes. The limits fall as the arena fills, so that
 * more communicators fit; but shorter rings and outboxes hold less of a long message for late
 * ranks.
 */
static const struct {
    size_t part; /* applies while at most 1 / part of the arena is taken */
    size_t ring, outbox;
} shares[] = {{4, SIZE_MAX, SIZE_MAX}, {2, 512 * 1024, 256 * 1024}, {1, 64 * 1024, 32 * 1024}};

enum { NSHARES = sizeof(shares) / sizeof(shares[0]) };

static uint64_t take_share(struct hitop_comm *c, struct hitop_node_layout *layout,
                           struct hitop_diag *diag)
{
    const size_t taken = hitop_arena_taken(c->arena);
    uint64_t place = 0;

    for (int i = 0; i < NSHARES && place == 0; i++) {
        layout->ring_bytes =
            layout->ring_bytes < shares[i].ring ? layout->ring_bytes : shares[i].ring;
        layout->outbox_bytes =
            layout->outbox_bytes < shares[i].outbox ? layout->outbox_bytes : shares[i].outbox;
        if (taken <= (size_t)c->settings.arena / shares[i].part) {
            place = hitop_arena_take(c->arena, hitop_node_segment_bytes(layout),
                                     (unsigned)c->nlocal, diag);
        }
    }
    return place;
}

static int make_offer(struct hitop_comm *c, enum hitop_segment_kind kind, struct offer *offer,
                      struct hitop_diag *diag)
{
    if (hitop_arena_keep(NULL, (size_t)c->settings.arena, &c->arena, diag) != HITOP_OK) {
        return 0;
    }
    c->place = take_share(c, &offer->layout, diag);
    if (c->place == 0) {
        return 0;
    }
    if (hitop_arena_show(c->arena, kind, &offer->sign, diag) != HITOP_OK) {
        hitop_arena_drop(c->arena, c->place, (unsigned)c->nlocal);
        c->place = 0;
        return 0;
    }
    hitop_node_format(hitop_arena_at(c->arena, c->place), &offer->layout);
    offer->place = c->place;
    return 1;
}

/*
 * The first rank of a node takes memory of `layout`, and the other ranks map it by the method
 * `kind`. Returns 1, the same on all ranks of the node, when all have it; then *offer is the same
 * on all, too.
 */
static int try_memory(struct hitop_comm *c, MPI_Comm node, enum hitop_segment_kind kind,
                      const struct hitop_node_layout *layout, struct offer *offer,
                      struct hitop_failure *t)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int have = 0;

    *offer = (struct offer){.layout = *layout};
    if (c->local == 0) {
        have = make_offer(c, kind, offer, &diag);
        read_thresholds(c->nlocal, c->wait.alone, &offer->thresholds);
    }
    hitop_failure_note_mpi(t, PMPI_Bcast(offer, sizeof(*offer), MPI_BYTE, 0, node),
                           "MPI_Bcast failed");
    if (c->local != 0 && offer->place != 0) {
        have = hitop_arena_keep(&offer->sign, 0, &c->arena, &diag) == HITOP_OK;
    }
    if (!have && kind == HITOP_SEGMENT_NAMED) { /* the last method */
        hitop_failure_note(t, diag.message[0] ? diag.message : "no shared memory on this node");
    }
    hitop_failure_note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, node),
                           "MPI_Allreduce failed");
    if (c->local == 0 && offer->place != 0) {
        hitop_segment_hide(offer->sign.place);
        if (!have) {
            hitop_arena_drop(c->arena, offer->place, (unsigned)c->nlocal);
        }
    }
    c->place = have ? offer->place : 0;
    return have;
}

void hitop_comm_share_memory(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t)
{
    struct offer offer;
    const struct hitop_node_layout layout = {
        .nranks = c->nlocal,
        .ring_bytes = (size_t)c->settings.ring,
        .outbox_bytes = hitop_node_outbox_bytes(c->nlocal, c->wait.alone),
        .nplaces = c->wait.alone ? HITOP_NODE_FEW_PLACES : HITOP_NODE_MANY_PLACES};

    if (try_memory(c, node, HITOP_SEGMENT_NAMELESS, &layout, &offer, t) ||
        try_memory(c, node, HITOP_SEGMENT_NAMED, &layout, &offer, t)) {
        hitop_node_attach(&c->shared, hitop_arena_at(c->arena, c->place), &offer.layout, c->local,
                          &c->wait);
        c->shared.arena = c->arena;
        c->thresholds = offer.thresholds;
        c->shared.thresholds = &c->thresholds;
        hitop_node_prove(&c->shared, !c->settings.no_single_copy);
    }
}

void hitop_comm_drop_memory(struct hitop_comm *c)
{
    if (c->place != 0) {
        hitop_arena_drop(c->arena, c->place, 1);
        c->place = 0;
    }
}
