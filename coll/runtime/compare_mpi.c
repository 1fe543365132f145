/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_mpi.c - see compare_mpi.h. */
#include <config.h>

#include "coll/runtime/compare_mpi.h"

#include "coll/node/wait.h"
#include "coll/runtime/types_mpi.h"
#include "coll/runtime/wire_mpi.h"

#include <stdlib.h>

/*
 * Calls from combine_begin() to the call that waits in combine_end(). The sender of a short
 * message (of the size class of SHORT or below) can be some calls ahead of its receivers, as with
 * plain MPI.
 */
enum { CALLS_BEHIND = 8, CALLS_TOGETHER = 2, SHORT = 65536 };

enum { UNLIKE, TIMES };

struct compare_class {
    struct compare_class *next;
    struct compare_result result; /* its times are set once it is decided */
    int is_decided;
    int is_begun; /* the previous call was the first one of its turn */
    int ncalls;   /* timed calls */
    int due;      /* calls until ranks judge the times; 0: they time more calls */
    size_t own;   /* bytes of this rank in the first call */
    MPI_Request request;
    /*
     * shared[UNLIKE]: 1 if calls differed; shared[TIMES + i]: the time of call i, negated where the
     * minimum over all ranks counts. After the reduction each is the maximum over all ranks.
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

/* The key of an operation with equal blocks, in which `bytes` move. */
static struct compare_key key_even(enum hitop_operation_id operation, size_t bytes, int place)
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
        call->operation == HITOP_REDUCE_SCATTER) { /* all ranks know these lengths */
        return key_even(call->operation, side_bytes(takes ? &call->recv : &call->send, size),
                        place);
    }
    key = key_even(call->operation, 0, place);
    key.is_empty = 0;
    key.own =
        (sends ? side_bytes(&call->send, size) : 0) + (takes ? side_bytes(&call->recv, size) : 0);
    return key;
}

/*
 * The classes of an operation and a range of lengths, one for each place; NULL when out of memory.
 */
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
        if (class->result.place == key->place) {
            return class;
        }
    }
    class = at ? calloc(1, sizeof(*class)) : NULL;
    if (!class) { /* the other ranks would wait for this one */
        hitop_failure_abort(in->wire, "out of memory");
        return NULL;
    }
    class->result.operation = key->operation;
    class->result.place = key->place;
    class->result.size_class = size_class;
    class->own = key->own;
    class->request = MPI_REQUEST_NULL;
    class->next = *at;
    *at = class;
    return class;
}

/*
 * 1: every rank waits for all others in the operation, so that the rank that arrives last waits for
 * none. Its time is the smallest, and is that of the operation, however late the rank arrives.
 */
static int all_wait(const struct compare_class *class)
{
    switch (class->result.operation) {
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

/* When out of memory the result is used, but missing in the statistics. */
static void note_result(struct compare_log *log, struct compare_result *result, const int64_t *ns)
{
    struct compare_result *more =
        realloc(log->results, ((size_t)log->n + 1) * sizeof(*log->results));

    if (!more) {
        return;
    }
    for (enum compare_by by = COMPARE_HITOP; by < COMPARE_NLIBRARIES; by++) {
        result->ns[by] = hitop_compare_median(ns, result->calls, by);
    }
    log->results = more;
    more[log->n++] = *result;
}

/* Judge the times of all ranks. */
static void judge(struct compare *in, struct compare_class *class)
{
    enum compare_verdict verdict = COMPARE_KEEP;
    int64_t ns[2 * COMPARE_MOST];

    for (int i = 0; i < class->ncalls; i++) {
        ns[i] = class->shared[TIMES + i] * (all_wait(class) ? -1 : 1);
    }
    class->result.calls = class->ncalls / 2;
    if (!class->shared[UNLIKE]) {
        verdict = hitop_compare_judge(ns, class->result.calls, class->result.calls >= in->most);
    }
    class->is_decided = verdict != COMPARE_GO_ON;
    class->result.is_left = verdict == COMPARE_LEAVE;
    class->result.is_unlike = class->shared[UNLIKE] != 0;
    if (class->is_decided && class->result.algorithm) {
        note_result(in->log, &class->result, ns);
    }
}

/*
 * A rank can return from an operation with a root, or from a scan, while others are still in it,
 * and wait for them in the next call, which the other library may serve. So each turn is two calls,
 * and the second one is timed.
 */
static int may_run_ahead(const struct compare_class *class)
{
    return hitop_operation_has_root(&hitop_operations()[class->result.operation]) ||
           class->result.operation == HITOP_SCAN || class->result.operation == HITOP_EXSCAN;
}

#ifdef HITOP_SMPI
/*
 * SimGrid's MPI_Iallreduce sends a message from each rank to each other rank, so that the
 * simulation of one takes some 10 s with 128 ranks. Ranks combine their times when they need the
 * result.
 */
static int combine_begin(struct compare *in, struct compare_class *class)
{
    (void)in;
    (void)class;
    return MPI_SUCCESS;
}

static int combine_end(struct compare *in, struct compare_class *class)
{
    return PMPI_Allreduce(MPI_IN_PLACE, class->shared, TIMES + class->ncalls, MPI_INT64_T, MPI_MAX,
                          in->wire);
}
#else
static int combine_begin(struct compare *in, struct compare_class *class)
{
    return PMPI_Iallreduce(MPI_IN_PLACE, class->shared, TIMES + class->ncalls, MPI_INT64_T, MPI_MAX,
                           in->wire, &class->request);
}

static int combine_end(struct compare *in, struct compare_class *class)
{
    (void)in;
    return PMPI_Wait(&class->request, MPI_STATUS_IGNORE);
}
#endif

enum compare_by hitop_compare_enter(struct compare *in, const struct compare_key *key,
                                    struct compare_turn *turn)
{
    struct compare_class *class = key->is_empty ? NULL : class_of(in, key);

    *turn = (struct compare_turn){.in = NULL};
    if (!class) {
        return COMPARE_HITOP;
    }
    if (class->due > 0) {
        if (--class->due > 0) {
            return COMPARE_HITOP;
        }
        if (combine_end(in, class) != MPI_SUCCESS) {
            hitop_failure_abort(in->wire, "ranks cannot compare Hitop with the MPI library");
        }
        judge(in, class);
    }
    if (class->is_decided) {
        return class->result.is_left ? COMPARE_MPI : COMPARE_HITOP;
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
 * Calls until ranks wait for the reduction: more for short calls from which a rank can return
 * before others arrive. Lengths that only some ranks know count as short.
 */
static int calls_until_due(const struct compare_class *class)
{
    return may_run_ahead(class) && class->result.size_class <= hitop_compare_size_class(SHORT)
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
    class->result.algorithm = algorithm ? algorithm : class->result.algorithm;
    class->shared[UNLIKE] |= code != MPI_SUCCESS;
    class->shared[TIMES + class->ncalls++] =
        (int64_t)(now - turn->since) * (all_wait(class) ? -1 : 1);
    if (class->ncalls < 2 * hitop_compare_next_look(class->result.calls, turn->in->most)) {
        return;
    }
    class->due = calls_until_due(class);
    if (combine_begin(turn->in, class) != MPI_SUCCESS) {
        hitop_failure_abort(turn->in->wire, "ranks cannot compare Hitop with the MPI library");
    }
}

static void free_classes(struct compare_class *class, int is_complete)
{
    while (class) {
        struct compare_class *next = class->next;
        const int is_pending = class->request != MPI_REQUEST_NULL;

        if (is_pending && is_complete) {
            (void)PMPI_Wait(&class->request, MPI_STATUS_IGNORE);
        }
        if (!is_pending || is_complete) { /* otherwise MPI may still write there */
            free(class);
        }
        class = next;
    }
}

void hitop_compare_end(struct compare *in, int is_complete)
{
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        for (int s = 0; in->classes[o] && s < COMPARE_SIZES; s++) {
            free_classes(in->classes[o][s], is_complete);
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
