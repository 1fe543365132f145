/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internode_mpi.c - what the ranks learn about internode links: the model, which rank 0 reads and
 * shares, and the eager limit, the longest message that is sent without waiting for its receiver.
 */
#include <config.h>

#include "coll/runtime/job_files.h"
#include "coll/twolevel/comm_state_mpi.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rank 0 gathers the host names of all first ranks into `names`, in the order of nodes. */
static void gather_names(const struct hitop_comm *c, char (*names)[MPI_MAX_PROCESSOR_NAME],
                         struct hitop_failure *t)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;

    hitop_failure_note_mpi(t, PMPI_Get_processor_name(mine, &length),
                           "MPI_Get_processor_name failed");
    hitop_failure_note_mpi(
        t, PMPI_Gather(mine, sizeof(mine), MPI_CHAR, names, sizeof(mine), MPI_CHAR, 0, c->leaders),
        "MPI_Gather failed");
}

/* The text of a model file for the hosts with these names; NULL after an error. */
static char *describe(const struct hitop_comm *c, const char *const *hosts, size_t *length,
                      int *measured, struct hitop_failure *t)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    char *text = NULL;
    FILE *memory =
        hitop_job_model(hosts, c->nnodes, !c->wait.alone, &model, measured, &diag) == HITOP_OK
            ? open_memstream(&text, length)
            : NULL;

    if (memory) {
        const enum hitop_status status = hitop_model_write(model, memory, &diag);
        if (fclose(memory) != 0 || status != HITOP_OK || *length > INT_MAX) {
            free(text);
            text = NULL;
        }
    }
    if (!text) {
        hitop_failure_note(t, diag.message[0] ? diag.message : "out of memory");
    }
    hitop_model_free(model);
    return text;
}

/* Rank 0 shares `text`, the model; then all ranks create c->choices from it. */
static void share_text(struct hitop_comm *c, char *text, size_t length, int measured,
                       struct hitop_failure *t)
{
    unsigned long long facts[3] = {length,
                                   (unsigned long long)atomic_load(&hitop_job_model_is_reported),
                                   (unsigned long long)measured};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;

    hitop_failure_note_mpi(t, PMPI_Bcast(facts, 3, MPI_UNSIGNED_LONG_LONG, 0, c->wire),
                           "MPI_Bcast failed");
    if (facts[1]) {
        atomic_store(&hitop_job_model_is_reported, 1);
    }
    if (c->rank != 0) {
        length = (size_t)facts[0];
        text = malloc(length + 1);
    }
    if (!text) {
        hitop_failure_note(t, "out of memory");
    }
    if (hitop_failure_agree(t, c->wire) == HITOP_NO_FAILURE) {
        hitop_failure_note_mpi(t, PMPI_Bcast(text, (int)length, MPI_CHAR, 0, c->wire),
                               "MPI_Bcast failed");
        if (hitop_model_parse("model of the nodes", text, length, &model, &diag) != HITOP_OK ||
            hitop_bcast_choices_create(model, facts[2] != 0, c->size > c->nnodes, &c->choices,
                                       &diag) != HITOP_OK) {
            hitop_failure_note(t, diag.message);
        }
    }
    free(text);
}

void hitop_comm_share_model(struct hitop_comm *c, struct hitop_failure *t)
{
    const size_t n = c->rank == 0 ? (size_t)c->nnodes : 0;
    char(*names)[MPI_MAX_PROCESSOR_NAME] = calloc(n + 1, sizeof(*names)), *text = NULL;
    const char **hosts = calloc(n + 1, sizeof(*hosts));
    size_t length = 0;
    int measured = 0;

    if (!names || !hosts) {
        hitop_failure_note(t, "out of memory");
    }
    if (hitop_failure_agree(t, c->wire) == HITOP_NO_FAILURE) {
        for (size_t k = 0; k < n; k++) {
            hosts[k] = names[k];
        }
        if (c->local == 0) {
            gather_names(c, names, t);
        }
        if (c->rank == 0) {
            text = describe(c, hosts, &length, &measured, t);
        }
        share_text(c, text, length, measured, t);
    }
    free(hosts);
    free(names);
}

/*
 * The eager limit: the longest internode message that is sent without waiting for its receiver.
 *
 * Idea:   The first rank of each node sends messages to the first rank of the next node, which
 *         receives them only after all ranks agree on which sends are complete.
 * Cost:   Three messages per node and two reductions, once for a process; then one reduction for
 *         each communicator.
 */

/* The lengths that matter, ascending: a header with its data, and a segment. */
static const int lengths[] = {HITOP_HEADER_BYTES, HITOP_BCAST_SEGMENT};

enum { NLENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

_Static_assert((int)HITOP_HEADER_BYTES <= (int)HITOP_BCAST_SEGMENT, "a segment has the most room");

/* A send that is not complete after this many seconds waits for its receiver. */
static const double longest = 1e-3;

/* The eager limit, 0 if not known, and HITOP_VNODE of the communicator that found it. */
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

/* The longest length that, with all shorter ones, is sent within `longest` seconds. */
static int limit_of(MPI_Request *requests, struct hitop_failure *t)
{
    const double until = PMPI_Wtime() + longest;
    int n = 0;

    do {
        int left = 0;

        hitop_failure_note_mpi(t, PMPI_Test(&requests[n], &left, MPI_STATUS_IGNORE),
                               "MPI_Test failed");
        n += left;
    } while (n < NLENGTHS && PMPI_Wtime() < until);
    return n > 0 ? lengths[n - 1] : EAGER_SURE;
}

/* The smallest limit of all ranks. */
static int agree(const struct hitop_comm *c, int limit, struct hitop_failure *t)
{
    hitop_failure_note_mpi(t, PMPI_Allreduce(MPI_IN_PLACE, &limit, 1, MPI_INT, MPI_MIN, c->wire),
                           "MPI_Allreduce failed");
    return limit;
}

/*
 * First rank of a node: send to the next node, and receive from the previous one. Returns the limit
 * of all nodes.
 */
static int try_all(const struct hitop_comm *c, struct hitop_failure *t)
{
    static unsigned char nothing[HITOP_BCAST_SEGMENT]; /* only for reading */
    unsigned char room[HITOP_BCAST_SEGMENT];
    const int next = c->first_of[(c->node + 1) % c->nnodes];
    const int previous = c->first_of[(c->node + c->nnodes - 1) % c->nnodes];
    const int tag = hitop_comm_tag(c, HITOP_TAG_SEGMENT);
    MPI_Request requests[NLENGTHS];
    int limit;

    /* Open MPI 5 connects in the first exchange, which takes longer than `longest` seconds. */
    hitop_failure_note_mpi(t,
                           PMPI_Sendrecv(nothing, 0, MPI_BYTE, next, tag, room, 0, MPI_BYTE,
                                         previous, tag, c->wire, MPI_STATUS_IGNORE),
                           "MPI_Sendrecv failed");
    for (int i = 0; i < NLENGTHS; i++) {
        requests[i] = MPI_REQUEST_NULL;
        hitop_failure_note_mpi(
            t, PMPI_Isend(nothing, lengths[i], MPI_BYTE, next, tag, c->wire, &requests[i]),
            "MPI_Isend failed");
    }
    limit = agree(c, limit_of(requests, t), t);
    for (int i = 0; i < NLENGTHS; i++) {
        hitop_failure_note_mpi(
            t, PMPI_Recv(room, lengths[i], MPI_BYTE, previous, tag, c->wire, MPI_STATUS_IGNORE),
            "MPI_Recv failed");
    }
    for (int i = 0; i < NLENGTHS; i++) {
        hitop_failure_note_mpi(t, PMPI_Wait(&requests[i], MPI_STATUS_IGNORE), "MPI_Wait failed");
    }
    return limit;
}

void hitop_comm_find_eager(struct hitop_comm *c, struct hitop_failure *t)
{
    c->eager = agree(c, recall(c), t);
    if (c->eager == 0) {
        c->eager = c->local == 0 ? try_all(c, t) : agree(c, HITOP_BCAST_SEGMENT, t);
        remember(c);
    }
}
