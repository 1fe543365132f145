/* SPDX-License-Identifier: BSD-3-Clause */
/* eager_mpi.c - see eager_mpi.h. */
#include <config.h>

#include "coll/twolevel/eager_mpi.h"

#include <stdatomic.h>

/* The lengths that matter: of a header with its data, and of a segment; ascending. */
static const int lengths[] = {HITOP_HEADER_BYTES, HITOP_ROUTE_SEGMENT};

enum { NLENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

_Static_assert((int)HITOP_HEADER_BYTES <= (int)HITOP_ROUTE_SEGMENT, "a segment has the most room");

/* Seconds after which a message that has not left waits for its receiver. */
static const double longest = 1e-3;

/* What is known already: the limit between nodes of so many ranks, 0 for whole hosts. */
static _Atomic int known_limit, known_per_node;

static int recall(const struct hitop_comm *c)
{
    const int limit = atomic_load(&known_limit);

    return atomic_load(&known_per_node) == c->settings.per_node ? limit : 0;
}

static void remember(const struct hitop_comm *c)
{
    atomic_store(&known_limit, 0);
    atomic_store(&known_per_node, c->settings.per_node);
    atomic_store(&known_limit, c->eager);
}

/* The longest of those sent which leaves soon, and all shorter ones with it. */
static int limit_of(MPI_Request *requests, struct hitop_trouble *t)
{
    const double until = PMPI_Wtime() + longest;
    int n = 0;

    do {
        int left = 0;

        hitop_trouble_note_mpi(t, PMPI_Test(&requests[n], &left, MPI_STATUS_IGNORE),
                               "MPI_Test failed");
        n += left;
    } while (n < NLENGTHS && PMPI_Wtime() < until);
    return n > 0 ? lengths[n - 1] : EAGER_SURE;
}

/* The smallest of what the ranks say. */
static int agree(const struct hitop_comm *c, int limit, struct hitop_trouble *t)
{
    hitop_trouble_note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, &limit, 1, MPI_INT, MPI_MIN, c->wire),
                           "MPI_Allreduce failed");
    return limit;
}

/* First rank of a node: send to the next one, and receive from the one before. */
static int try_all(const struct hitop_comm *c, struct hitop_trouble *t)
{
    static unsigned char nothing[HITOP_ROUTE_SEGMENT]; /* only read */
    unsigned char room[HITOP_ROUTE_SEGMENT];
    const int next = c->first_of[(c->node + 1) % c->nnodes];
    const int previous = c->first_of[(c->node + c->nnodes - 1) % c->nnodes];
    const int tag = hitop_comm_tag(c, HITOP_TAG_SEGMENT);
    MPI_Request requests[NLENGTHS];
    int limit;

    /* Open MPI 5 connects in the first exchange, which takes longer than `longest`. */
    hitop_trouble_note_mpi(t,
                           PMPI_Sendrecv(nothing, 0, MPI_BYTE, next, tag, room, 0, MPI_BYTE,
                                         previous, tag, c->wire, MPI_STATUS_IGNORE),
                           "MPI_Sendrecv failed");
    for (int i = 0; i < NLENGTHS; i++) {
        requests[i] = MPI_REQUEST_NULL;
        hitop_trouble_note_mpi(
            t, PMPI_Isend(nothing, lengths[i], MPI_BYTE, next, tag, c->wire, &requests[i]),
            "MPI_Isend failed");
    }
    limit = agree(c, limit_of(requests, t), t);
    for (int i = 0; i < NLENGTHS; i++) {
        hitop_trouble_note_mpi(
            t, PMPI_Recv(room, lengths[i], MPI_BYTE, previous, tag, c->wire, MPI_STATUS_IGNORE),
            "MPI_Recv failed");
    }
    for (int i = 0; i < NLENGTHS; i++) {
        hitop_trouble_note_mpi(t, PMPI_Wait(&requests[i], MPI_STATUS_IGNORE), "MPI_Wait failed");
    }
    return limit;
}

void hitop_eager_find(struct hitop_comm *c, struct hitop_trouble *t)
{
    c->eager = agree(c, recall(c), t);
    if (c->eager == 0) {
        c->eager = c->local == 0 ? try_all(c, t) : agree(c, HITOP_ROUTE_SEGMENT, t);
        remember(c);
    }
}
