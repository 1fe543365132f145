/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_mpi.c - the steps of every call: check the arguments, describe the call, choose an algorithm,
 * plan, run it on the buffers.
 *
 * Whether a call goes to MPI depends only on what all ranks know alike, or on an error in its
 * arguments, which the MPI library then reports.
 */
#include <config.h>

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/description_mpi.h"
#include "coll/runtime/exec_mpi.h"
#include "coll/runtime/memory_mpi.h"
#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/types_mpi.h"

#include "hitop/collectives_mpi.h"

/* A call that is being served. */
struct run {
    struct plans *p;
    struct description what;
    int is_waiting; /* 1: MPI serves the call because rank 0 has not chosen yet */
};

/* Find or make a choice, or wait for one. Lengths that not all ranks know have no influence. */
static const struct choice *choose(struct run *r, int exact, int *code)
{
    const int known =
        r->what.call->operation != HITOP_ALLTOALLV && !hitop_description_lacks_counts(&r->what);
    const size_t bytes = hitop_description_bytes(&r->what);
    struct choice *choice;

    r->what.key.exact = known && exact;
    r->what.key.bytes = !known  ? CACHE_UNKNOWN
                        : exact ? bytes
                                : hitop_choice_class(bytes, r->what.key.unit);
    choice = hitop_cache_find_choice(&r->p->cache, &r->what.key);
    if (!choice) {
        *code = hitop_description_lacks_counts(&r->what)
                    ? hitop_counts_send_to_rank_0(r->p, r->what.call->root, r->what.starts)
                    : MPI_SUCCESS;
        if (*code != MPI_SUCCESS) {
            return NULL;
        }
        choice = hitop_plans_choose(r->p, &r->what.key, &r->what.args);
    } else if (choice->waits > 0) {
        hitop_plans_go_on(r->p, choice, &r->what.args);
    }
    r->is_waiting = choice->waits > 0;
    return choice;
}

/* Run a plan on the buffers of the call. */
static int execute(struct run *r, const struct choice *choice, const struct hitop_sched *sched)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct memory memory;
    int failure = MPI_SUCCESS;
    const struct exec_mpi exec = {
        .comm = r->p->wire, .tag = plans_tag(r->p), .op = r->what.call->op, .code = &failure};
    int code = hitop_memory_open(&memory, r->what.call, &r->what.args,
                                 choice->what.algorithm.type->in_place, hitop_sched_work(sched),
                                 r->p->wire);

    if (code != MPI_SUCCESS) { /* the others wait for messages that will not come */
        hitop_failure_abort(r->p->wire, "no memory for the buffers of a collective");
    } else if (hitop_exec_mpi_run(&exec, sched, memory.exec, &diag) != HITOP_OK) {
        if (failure == MPI_SUCCESS) { /* no message was sent */
            hitop_failure_abort(r->p->wire, diag.message);
        }
        r->p->mode = PLANS_BROKEN;
        code = failure != MPI_SUCCESS ? failure : MPI_ERR_OTHER;
    } else {
        code = hitop_memory_deliver(&memory, r->what.call, &r->what.args, r->p->wire);
    }
    hitop_memory_close(&memory);
    return code;
}

/* The plan of a choice that serves the call, cached or new; NULL: MPI serves the call. */
static const struct hitop_sched *plan(struct run *r, const struct choice **choice, int *code)
{
    const struct hitop_sched *sched = NULL;

    for (int exact = r->p->has_rules; !sched && exact < 2; exact++) {
        *choice = choose(r, exact, code);
        if (*choice && !(*choice)->what.algorithm.type) {
            return NULL;
        }
        if (*choice && hitop_description_lacks_counts(&r->what)) {
            *code = hitop_counts_share(r->p, *choice, r->what.starts);
        }
        if (!*choice || *code != MPI_SUCCESS) {
            r->p->mode = PLANS_BROKEN;
            return NULL;
        }
        r->what.args.tree = (*choice)->tree;
        sched = hitop_plans_plan(r->p, *choice, &r->what.args);
    }
    return sched;
}

static int serve(struct run *r)
{
    const struct hitop_sched *sched;
    const struct choice *choice;
    int code = MPI_SUCCESS;

    if (hitop_description_is_empty(&r->what)) {
        return code;
    }
    r->p->seq++;
    sched = plan(r, &choice, &code);
    if (sched) {
        r->p->last = hitop_algorithm_name(choice->what.algorithm);
        return execute(r, choice, sched);
    }
    return code == MPI_SUCCESS ? hitop_call_fallback(r->what.call) : code;
}

/*
 * Serve by the faster of a plan and MPI, or by the one whose turn it is in the comparison.
 * *is_reported: MPI has reported its errors.
 */
static int serve_faster(struct run *r, int *is_reported)
{
    struct plans *p = r->p;
    const struct call *call = r->what.call;
    const struct compare_key key = hitop_compare_key_of(call, p->rank, p->size, call->root);
    struct compare_turn turn;
    int code;

    *is_reported = hitop_compare_enter(&p->compare, &key, &turn) == COMPARE_MPI;
    code = *is_reported ? hitop_call_fallback(call) : serve(r);
    if (!r->is_waiting) {
        hitop_compare_exit(&turn, *is_reported || !p->last[0] ? NULL : p->last, code);
    }
    return code;
}

/* Rules and named algorithms are used without comparison. */
static int is_compared(const struct plans *p, enum hitop_operation_id operation)
{
    return p->compare.most > 0 && !p->has_rules && !(p->planned >> operation & 1);
}

static int describe_and_serve(struct plans *p, const struct call *call, int *is_reported)
{
    struct run r = {.p = p};
    int code =
        hitop_description_init(&r.what, call, p->rank, p->size, p->counts == NAMED_COUNTS_KNOWN);

    if (code == MPI_ERR_NO_MEM) {
        hitop_failure_abort(p->wire, "out of memory");
    }
    if (code == MPI_SUCCESS) {
        code = is_compared(p, call->operation) ? serve_faster(&r, is_reported) : serve(&r);
    }
    hitop_description_fini(&r.what);
    return code;
}

int hitop_call_run(const struct call *call, int trial, struct compare_log *log)
{
    struct plans *p = hitop_plans_of(call->comm);
    int code, is_reported = 0;

    if (p) {
        p->last = "";
    }
    if (!p || p->mode == PLANS_PASS || !hitop_call_is_valid(call, p->rank, p->size) ||
        !hitop_plans_ready(call->comm)) {
        return hitop_call_fallback(call);
    }
    p->compare.most = trial;
    p->compare.wire = p->wire;
    p->compare.log = log;
    code = p->mode == PLANS_BROKEN ? MPI_ERR_OTHER : describe_and_serve(p, call, &is_reported);
    if (code != MPI_SUCCESS && !is_reported) {
        (void)PMPI_Comm_call_errhandler(call->comm, code);
    }
    return code;
}

/* The counts and displacements that a side with blocks of all ranks has: none, counts, or both. */
enum blocks { EVEN, COUNTED, PLACED };

static int is_side_valid(const struct call_side *side, enum blocks blocks, int size)
{
    if (side->type == MPI_DATATYPE_NULL || (blocks != EVEN && !side->counts) || side->count < 0 ||
        (blocks == PLACED && !side->displs) ||
        hitop_type_kind(side->type) == HITOP_TYPE_UNCOMMITTED) {
        return 0;
    }
    for (int r = 0; blocks != EVEN && r < size; r++) {
        if (side->counts[r] < 0) {
            return 0;
        }
    }
    return 1;
}

/*
 * Is the address valid? Plain bytes cannot be at NULL; derived types may contain addresses
 * themselves (MPI_BOTTOM).
 */
static int has_address(const struct call_side *side)
{
    return side->buffer || side->counts || side->count == 0 ||
           hitop_type_kind(side->type) != HITOP_TYPE_PLAIN || hitop_type_size(side->type) == 0;
}

/*
 * 1: the side is valid by a quick test: equal blocks or a message, of the type that was used last,
 * at an address. Nearly all sides are.
 */
static inline int is_usual(const struct call_side *side)
{
    return side->type == hitop_type_last.type && side->count >= 0 && side->buffer &&
           side->buffer != MPI_IN_PLACE && !side->counts;
}

/*
 * MPI_IN_PLACE is valid as the receive buffer of the root of a scatter; in other operations as the
 * send buffer of a rank that also receives.
 */
static int is_in_place_valid(const struct call *c, int sends, int receives, int root_brings)
{
    if (receives && c->recv.buffer == MPI_IN_PLACE && !(root_brings && sends)) {
        return 0;
    }
    return !(sends && c->send.buffer == MPI_IN_PLACE && (!receives || root_brings));
}

/* The full test, for a call with a side that fails the quick one. */
static int are_sides_valid(const struct call *c, const struct hitop_operation *operation, int rank,
                           int size)
{
    const unsigned flags = operation->flags;
    const enum blocks blocks = !(flags & HITOP_UNEVEN) ? EVEN
                               : flags & HITOP_REDUCES ? COUNTED
                                                       : PLACED;
    const int sends = call_sends(c, rank), receives = call_receives(c, rank);
    const int sends_blocks = operation->brings == HITOP_BLOCKS;
    const int takes_blocks = operation->takes == HITOP_BLOCKS || flags & HITOP_REDUCES;

    if (sends && c->send.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->send, sends_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if ((receives || flags & HITOP_REDUCES) && c->recv.buffer != MPI_IN_PLACE &&
        !is_side_valid(&c->recv, takes_blocks ? blocks : EVEN, size)) {
        return 0;
    }
    if (sends && !has_address(&c->send)) {
        return 0;
    }
    if (receives && !has_address(&c->recv) &&
        !(c->operation == HITOP_EXSCAN && rank == 0)) { /* there it is not significant */
        return 0;
    }
    return is_in_place_valid(c, sends, receives, (flags & HITOP_ROOT_BRINGS) != 0);
}

int hitop_call_is_valid(const struct call *c, int rank, int size)
{
    const struct hitop_operation *operation = &hitop_operations()[c->operation];
    const int sends = call_sends(c, rank), receives = call_receives(c, rank);
    const int is_even = !(operation->flags & HITOP_UNEVEN);

    if (hitop_operation_has_root(operation) && (c->root < 0 || c->root >= size)) {
        return 0;
    }
    if (!(is_even && (!sends || is_usual(&c->send)) && (!receives || is_usual(&c->recv))) &&
        !are_sides_valid(c, operation, rank, size)) {
        return 0;
    }
    return !(operation->flags & HITOP_REDUCES) ||
           (c->op != MPI_OP_NULL && hitop_alone_takes(c->op, c->recv.type));
}
