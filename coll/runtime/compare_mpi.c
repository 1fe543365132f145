/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_mpi.c - see compare_mpi.h. */
#include <config.h>

#include "coll/runtime/compare_mpi.h"

#include "coll/node/wait.h"
#include "coll/runtime/types_mpi.h"
#include "coll/runtime/wire_mpi.h"

#include <stdlib.h>

/*
 * Calls from the MPI_Iallreduce of the times to the call that waits for it. The sender of a short
 * message (of the range of lengths that SHORT is in) can be some calls ahead of its receivers, as
 * with plain MPI.
 */
enum { CALLS_BEHIND = 8, CALLS_TOGETHER = 2, SHORT = 65536 };

enum { UNLIKE, TIMES };

struct compare_class {
    struct compare_class *next;
    enum hitop_operation_id operation;
    int place, size_class;
    enum compare_by by; /* once it is decided */
    int is_decided;
    const char *algorithm; /* that Hitop serves it by; NULL: it does not */
    int is_begun;          /* the call before was the first one of its turn */
    int ncalls;            /* that were timed */
    int judged;            /* calls each way when the times were judged last */
    int due;               /* calls until the request is waited for, while there is one */
    size_t own;            /* of the first call */
    MPI_Request request;
    /*
     * Maximum over all ranks once they are put together: UNLIKE is 1 if calls differed, then the
     * time of each call, negative where the least one counts.
     */
    int64_t shared[TIMES + 2 * COMPARE_MOST];
};

static size_t side_bytes(const struct call_side *side, int size)
{
    size_t elements = side->counts ? 0 : (size_t)side->count;

    for (int i = 0; side->counts && i < size; i++) {
        elements += (size_t)side->counts[i];
    }
    return elements * hitop_type_size(side->type);
}

struct compare_key hitop_compare_key_even(enum hitop_operation_id operation, size_t bytes,
                                          int place)
{
    const struct hitop_operation *o = &hitop_operations()[operation];

    return (struct compare_key){.operation = operation,
                                .place = !hitop_operation_has_root(o) ? 0
                                         : place < COMPARE_PLACES     ? place
                                                                      : COMPARE_PLACES,
                                .bytes = bytes,
                                .is_empty = o->takes != HITOP_NOTHING && bytes == 0};
}

struct compare_key hitop_compare_key_of(const struct call *call, int rank, int size, int place)
{
    const struct hitop_operation *o = &hitop_operations()[call->operation];
    const int sends = call_sends(call, rank) && call->send.buffer != MPI_IN_PLACE;
    const int takes = call_receives(call, rank) && call->recv.buffer != MPI_IN_PLACE;
    struct compare_key key = {.operation = call->operation};

    if (o->takes == HITOP_NOTHING) {
        return key;
    }
    if (!(o->flags & HITOP_UNEVEN) || call->operation == HITOP_ALLGATHERV ||
        call->operation == HITOP_REDUCE_SCATTER) { /* lengths that all ranks know */
        return hitop_compare_key_even(call->operation,
                                      side_bytes(takes ? &call->recv : &call->send, size), place);
    }
    key = hitop_compare_key_even(call->operation, 0, place);
    key.is_empty = 0;
    key.own =
        (sends ? side_bytes(&call->send, size) : 0) + (takes ? side_bytes(&call->recv, size) : 0);
    return key;
}

/* The classes of an operation and a range of lengths, one for each place; NULL without memory. */
static struct compare_class **list_of(struct compare *in, enum hitop_operation_id operation,
                                      int size_class)
{
    struct compare_class ***lists = &in->classes[operation];

    if (!*lists) {
        *lists = calloc(COMPARE_SIZES, sizeof(**lists));
    }
    return *lists ? *lists + size_class : NULL;
}

static struct compare_class *class_of(struct compare *in, const struct compare_key *key)
{
    const int size_class = hitop_compare_size_class(key->bytes);
    struct compare_class **at = list_of(in, key->operation, size_class), *class;

    for (class = at ? *at : NULL; class; class = class->next) {
        if (class->place == key->place) {
            return class;
        }
    }
    class = at ? calloc(1, sizeof(*class)) : NULL;
    if (!class) { /* the other ranks will wait for this one */
        hitop_failure_abort(in->wire, "out of memory");
        return NULL;
    }
    class->operation = key->operation;
    class->place = key->place;
    class->size_class = size_class;
    class->own = key->own;
    class->request = MPI_REQUEST_NULL;
    class->next = *at;
    *at = class;
    return class;
}

/*
 * 1: in such an operation every rank waits for all others, so that the rank which arrives last
 * waits for none. Its time is the least, and that of the operation, however late it arrives.
 */
static int all_wait(const struct compare_class *class)
{
    switch (class->operation) {
    case HITOP_ALLGATHER:
    case HITOP_ALLREDUCE:
    case HITOP_ALLTOALL:
    case HITOP_BARRIER:
    case HITOP_REDUCE_SCATTER_BLOCK:
        return 1;
    default:
        return 0;
    }
}

/* Without memory the result is followed, but missing in the statistics. */
static void note_result(struct compare *in, const struct compare_class *class, const int64_t *ns)
{
    struct compare_log *log = in->log;
    struct compare_result *more =
        realloc(log->results, ((size_t)log->n + 1) * sizeof(*log->results));

    if (!more) {
        return;
    }
    log->results = more;
    more[log->n++] = (struct compare_result){
        .operation = class->operation,
        .place = class->place,
        .size_class = class->size_class,
        .algorithm = class->algorithm,
        .calls = class->judged,
        .ns = {[COMPARE_HITOP] = hitop_compare_median(ns, class->judged, COMPARE_HITOP),
               [COMPARE_MPI] = hitop_compare_median(ns, class->judged, COMPARE_MPI)},
        .is_left = class->by == COMPARE_MPI,
        .is_unlike = class->shared[UNLIKE] != 0};
}

/* The times of all ranks are there. */
static void judge(struct compare *in, struct compare_class *class)
{
    enum compare_verdict verdict = COMPARE_KEEP;
    int64_t ns[2 * COMPARE_MOST];

    for (int i = 0; i < class->ncalls; i++) {
        ns[i] = class->shared[TIMES + i] * (all_wait(class) ? -1 : 1);
    }
    class->judged = class->ncalls / 2;
    if (!class->shared[UNLIKE]) {
        verdict = hitop_compare_judge(ns, class->judged, class->judged >= in->most);
    }
    class->is_decided = verdict != COMPARE_GO_ON;
    class->by = verdict == COMPARE_LEAVE ? COMPARE_MPI : COMPARE_HITOP;
    if (class->is_decided && class->algorithm) {
        note_result(in, class, ns);
    }
}

/*
 * Ranks can leave an operation with a root, or a scan, while others are still in it, and wait for
 * those in the next call, which the other way can serve: each turn is two calls, and the second
 * one is timed.
 */
static int may_run_ahead(const struct compare_class *class)
{
    return hitop_operation_has_root(&hitop_operations()[class->operation]) ||
           class->operation == HITOP_SCAN || class->operation == HITOP_EXSCAN;
}

enum compare_by hitop_compare_enter(struct compare *in, const struct compare_key *key,
                                    struct compare_turn *turn)
{
    struct compare_class *class = key->is_empty ? NULL : class_of(in, key);

    *turn = (struct compare_turn){.in = NULL};
    if (!class) {
        return COMPARE_HITOP;
    }
    if (class->request != MPI_REQUEST_NULL) {
        if (--class->due > 0) {
            return COMPARE_HITOP;
        }
        if (PMPI_Wait(&class->request, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            hitop_failure_abort(in->wire, "ranks cannot compare Hitop with the MPI library");
        }
        judge(in, class);
    }
    if (class->is_decided) {
        return class->by;
    }
    class->shared[UNLIKE] |= key->own != class->own;
    class->is_begun = may_run_ahead(class) && !class->is_begun;
    if (class->is_begun) {
        return hitop_compare_turn(class->ncalls);
    }
    *turn = (struct compare_turn){.in = in, .class = class, .since = hitop_wait_clock()};
    return hitop_compare_turn(class->ncalls);
}

/*
 * More for short calls that a rank can leave before others come; of lengths that only some ranks
 * know, all count as short.
 */
static int calls_until_due(const struct compare_class *class)
{
    return may_run_ahead(class) && class->size_class <= hitop_compare_size_class(SHORT)
               ? CALLS_BEHIND
               : CALLS_TOGETHER;
}

void hitop_compare_exit(struct compare_turn *turn, const char *algorithm, int code)
{
    struct compare_class *class = turn->class;
    const uint64_t now = class ? hitop_wait_clock() : 0;

    if (!class) {
        return;
    }
    class->algorithm = algorithm ? algorithm : class->algorithm;
    class->shared[UNLIKE] |= code != MPI_SUCCESS;
    class->shared[TIMES + class->ncalls++] =
        (int64_t)(now - turn->since) * (all_wait(class) ? -1 : 1);
    if (class->ncalls < 2 * hitop_compare_next_look(class->judged, turn->in->most)) {
        return;
    }
    class->due = calls_until_due(class);
    if (PMPI_Iallreduce(MPI_IN_PLACE, class->shared, TIMES + class->ncalls, MPI_INT64_T, MPI_MAX,
                        turn->in->wire, &class->request) != MPI_SUCCESS) {
        hitop_failure_abort(turn->in->wire, "ranks cannot compare Hitop with the MPI library");
    }
}

static void free_classes(struct compare_class *class, int meets)
{
    while (class) {
        struct compare_class *next = class->next;
        const int is_pending = class->request != MPI_REQUEST_NULL;

        if (is_pending && meets) {
            (void)PMPI_Wait(&class->request, MPI_STATUS_IGNORE);
        }
        if (!is_pending || meets) { /* otherwise MPI may still write there */
            free(class);
        }
        class = next;
    }
}

void hitop_compare_end(struct compare *in, int meets)
{
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        for (int s = 0; in->classes[o] && s < COMPARE_SIZES; s++) {
            free_classes(in->classes[o][s], meets);
        }
        free(in->classes[o]);
        in->classes[o] = NULL;
    }
    in->most = 0;
}

void hitop_compare_log_free(struct compare_log *log)
{
    free(log->results);
    *log = (struct compare_log){.n = 0};
}
