/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_mpi.c - the way of every call: is it in order, what is it, which algorithm, whose plan, on what memory.
 *
 * Whether a call goes to MPI depends on nothing but what all ranks know alike, or on an error in its arguments,
 * which is then the MPI library's to report.
 */
#include <config.h>

#include "call_mpi.h"
#include "counts_mpi.h"
#include "exec_mpi.h"
#include "hitop/collectives_mpi.h"
#include "hitop/sys/coll.h"
#include "memory_mpi.h"
#include "plans_mpi.h"
#include "types_mpi.h"

#include <stdlib.h>
#include <string.h>

/* A call under way. */
struct run {
    const struct call *call;
    const struct hitop_operation *operation;
    struct plans *p;
    struct hitop_coll_args args;
    size_t *starts, *recv_starts; /* args' own, or NULL */
    struct choice_key key;
};

/* Where blocks of these counts begin; NULL when out of memory. */
static size_t *starts_of(const struct call_side *side, int size)
{
    const size_t unit = hitop_type_size(side->type);
    size_t *starts = malloc(((size_t)size + 1) * sizeof(*starts));

    if (starts) {
        starts[0] = 0;
        for (int i = 0; i < size; i++) {
            starts[i + 1] = starts[i] + (size_t)side->counts[i] * unit;
        }
    }
    return starts;
}

/* Only the root is told; another rank of a gather knows its own length. */
static size_t *starts_of_own(const struct run *r)
{
    const struct call_side *send = &r->call->send;
    size_t *starts = calloc((size_t)r->p->size + 1, sizeof(*starts));

    for (int i = r->p->rank + 1; starts && i <= r->p->size; i++) {
        starts[i] = r->call->operation == HITOP_GATHERV
                        ? (size_t)send->count * hitop_type_size(send->type)
                        : 0;
    }
    return starts;
}

/* The side that tells about all blocks. */
static const struct call_side *blocks_side(const struct run *r)
{
    const struct call *c = r->call;

    return (r->operation->brings == HITOP_BLOCKS && c->send.buffer != MPI_IN_PLACE) ||
                   c->recv.buffer == MPI_IN_PLACE
               ? &c->send
               : &c->recv;
}

/* A rank is not told of all blocks. */
static int needs_counts(const struct run *r)
{
    return r->p->counts != NAMED_COUNTS_KNOWN &&
           (r->call->operation == HITOP_SCATTERV || r->call->operation == HITOP_GATHERV);
}

/* Fill starts; 0 when out of memory. */
static int describe_blocks(struct run *r)
{
    const struct call *c = r->call;
    const int size = r->p->size;

    if (needs_counts(r) && r->p->rank != c->root) {
        r->starts = starts_of_own(r);
    } else {
        r->starts = starts_of(blocks_side(r), size);
    }
    if (c->operation == HITOP_ALLTOALLV) {
        r->recv_starts = starts_of(&c->recv, size);
        if (!r->recv_starts) {
            return 0;
        }
    }
    r->args.starts = r->starts;
    r->args.recv_starts = r->recv_starts;
    return r->starts != NULL;
}

static size_t side_bytes(const struct call_side *side)
{
    return (size_t)side->count * hitop_type_size(side->type);
}

/* Fill args and key. MPI_SUCCESS or an MPI error code. */
static int describe(struct run *r)
{
    const struct call *c = r->call;
    const int rank = r->p->rank, reduces = (r->operation->flags & HITOP_REDUCES) != 0;
    int commutes = 1, code = MPI_SUCCESS;

    r->args = (struct hitop_coll_args){.rank = rank, .size = r->p->size, .unit = 1};
    if (hitop_operation_has_root(r->operation)) {
        r->args.root = c->root;
    }
    if (reduces) {
        r->args.unit = hitop_type_size(c->recv.type);
        code = PMPI_Op_commutative(c->op, &commutes);
        r->args.ordered = !commutes;
    }
    if (r->operation->flags & HITOP_UNEVEN) {
        if (!describe_blocks(r)) {
            hitop_trouble_abort(r->p->wire, "out of memory");
            return MPI_ERR_NO_MEM;
        }
    } else if (r->operation->takes != HITOP_NOTHING) {
        r->args.bytes = side_bytes(
            call_receives(c, rank) && c->recv.buffer != MPI_IN_PLACE ? &c->recv : &c->send);
    }
    r->key = (struct choice_key){.operation = c->operation,
                                 .root = r->args.root,
                                 .unit = r->args.unit,
                                 .ordered = r->args.ordered,
                                 .uneven = r->starts != NULL};
    return code;
}

/* All bytes of an operation with blocks that differ, of others those of the message or of one block. */
static size_t length_of(const struct run *r)
{
    return r->starts ? r->starts[r->p->size] : r->args.bytes;
}

/* 1: all ranks know alike that no byte moves. */
static int is_empty(const struct run *r)
{
    return r->operation->takes != HITOP_NOTHING && r->call->operation != HITOP_ALLTOALLV &&
           !needs_counts(r) && length_of(r) == 0;
}

/* Lengths that not all ranks know do not decide. */
static const struct choice *choose(struct run *r, int exact, int *code)
{
    const int known = r->call->operation != HITOP_ALLTOALLV && !needs_counts(r);
    const size_t bytes = length_of(r);
    const struct choice *choice;

    r->key.exact = known && exact;
    r->key.bytes = !known ? CACHE_UNKNOWN : exact ? bytes : hitop_choice_class(bytes, r->key.unit);
    choice = cache_find_choice(&r->p->cache, &r->key);
    if (!choice) {
        *code = needs_counts(r) ? counts_tell_rank_0(r->p, r->call->root, r->starts) : MPI_SUCCESS;
        if (*code != MPI_SUCCESS) {
            return NULL;
        }
        choice = plans_choose(r->p, &r->key, &r->args);
    }
    return choice;
}

/* With a plan: on the memory of the call. */
static int execute(struct run *r, const struct choice *choice, const struct hitop_sched *sched)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct memory memory;
    int failure = MPI_SUCCESS;
    const struct exec_mpi exec = {
        .comm = r->p->wire, .tag = plans_tag(r->p), .op = r->call->op, .code = &failure};
    int code = memory_open(&memory, r->call, &r->args, choice->what.way.type->in_place,
                           hitop_sched_work(sched), r->p->wire);

    if (code != MPI_SUCCESS) { /* the others wait for messages that will not come */
        hitop_trouble_abort(r->p->wire, "no memory for the buffers of a collective");
    } else if (exec_mpi_run(&exec, sched, memory.exec, &diag) != HITOP_OK) {
        if (failure == MPI_SUCCESS) { /* it has not even begun */
            hitop_trouble_abort(r->p->wire, diag.message);
        }
        r->p->mode = PLANS_BROKEN;
        code = failure != MPI_SUCCESS ? failure : MPI_ERR_OTHER;
    } else {
        code = memory_deliver(&memory, r->call, &r->args, r->p->wire);
    }
    memory_close(&memory);
    return code;
}

/* The plan of a choice that serves, found again or made; NULL: it goes to MPI. */
static const struct hitop_sched *plan(struct run *r, const struct choice **choice, int *code)
{
    const struct hitop_sched *sched = NULL;

    for (int exact = r->p->has_rules; !sched && exact < 2; exact++) {
        *choice = choose(r, exact, code);
        if (*choice && !(*choice)->what.way.type) {
            return NULL;
        }
        if (*choice && needs_counts(r)) {
            *code = counts_share(r->p, *choice, r->starts);
        }
        if (!*choice || *code != MPI_SUCCESS) {
            r->p->mode = PLANS_BROKEN;
            return NULL;
        }
        r->args.tree = (*choice)->tree;
        sched = plans_plan(r->p, *choice, &r->args);
    }
    return sched;
}

static int serve(struct run *r)
{
    const struct hitop_sched *sched;
    const struct choice *choice;
    int code = describe(r);

    if (code != MPI_SUCCESS || is_empty(r)) {
        return code;
    }
    r->p->seq++;
    sched = plan(r, &choice, &code);
    if (sched) {
        r->p->last = hitop_way_name(choice->what.way);
        return execute(r, choice, sched);
    }
    return code == MPI_SUCCESS ? call_leave_to_mpi(r->call) : code;
}

int call_run(const struct call *call)
{
    struct run r = {
        .call = call, .operation = &hitop_operations()[call->operation], .p = plans_of(call->comm)};
    int code;

    if (r.p) {
        r.p->last = "";
    }
    if (!r.p || r.p->mode == PLANS_PASS || !call_is_valid(call, r.p->rank, r.p->size)) {
        return call_leave_to_mpi(call);
    }
    if (!plans_ready(call->comm)) {
        return call_leave_to_mpi(call);
    }
    code = r.p->mode == PLANS_BROKEN ? MPI_ERR_OTHER : serve(&r);
    free(r.starts);
    free(r.recv_starts);
    if (code != MPI_SUCCESS) {
        (void)PMPI_Comm_call_errhandler(call->comm, code);
    }
    return code;
}

const char *hitop_coll_last(MPI_Comm comm)
{
    const struct plans *p = plans_of(comm);

    return p ? p->last : "";
}
