/* SPDX-License-Identifier: BSD-3-Clause */
/* check_call_mpi.c - give a collective the memory of a user, look at all of it afterwards. */
#include <config.h>

#include "tools/check/check_call_mpi.h"
#include "tools/check/check_side_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call under way. */
struct job {
    const struct check_call *check;
    const struct hitop_operation *operation;
    struct coll_case c;
    int rank, brings, takes; /* whether this rank does */
    struct check_side send, recv;
    MPI_Comm comm;
};

static struct check_side side_of(const struct job *j, enum hitop_share share, size_t *const *starts)
{
    const struct check_type *type = j->check->type;
    const size_t *mine = starts ? starts[j->rank] : NULL;
    /* a reduction's blocks have no displacements */
    const int dense = j->operation->flags & HITOP_REDUCES && j->operation->takes == HITOP_BLOCK;

    if (share == HITOP_BLOCKS) {
        return check_side_make(type, j->check->gaps && !dense, j->c.size, mine, j->c.bytes);
    }
    return check_side_make(type, 0, 1, NULL,
                           share == HITOP_BLOCK && mine ? mine[j->rank + 1] - mine[j->rank]
                                                        : j->c.bytes);
}

/* Send side, receive side, and what of it is one. */
static void make_sides(struct job *j)
{
    const struct hitop_operation *o = j->operation;
    const int in_place = j->check->in_place && j->brings && j->takes;
    const unsigned char *brought = j->c.brought[j->rank];
    const int is_larger = in_place && o->flags & HITOP_REDUCES; /* room for what is brought */

    j->send = side_of(j, o->brings, j->c.starts);
    j->recv = side_of(j, is_larger ? o->brings : o->takes,
                      j->c.recv_starts ? j->c.recv_starts : j->c.starts);
    if (j->check->operation == HITOP_BCAST) {
        if (j->rank == j->check->root) {
            check_side_put(&j->recv, j->recv.memory, brought);
        }
    } else if (in_place && o->flags & HITOP_ROOT_BRINGS) {
        check_side_put(&j->send, j->send.memory, brought);
        j->recv.arg = MPI_IN_PLACE;
    } else if (in_place && o->brings == HITOP_BLOCK) {
        check_side_put_piece(&j->recv, j->recv.memory, j->rank, brought);
        j->send.arg = MPI_IN_PLACE;
    } else if (in_place) {
        check_side_put(&j->recv, j->recv.memory, brought);
        j->send.arg = MPI_IN_PLACE;
    } else if (j->brings) {
        check_side_put(&j->send, j->send.memory, brought);
    }
    j->send.arg = j->brings ? j->send.arg : NULL;
    j->recv.arg = j->takes ? j->recv.arg : NULL;
}

static int call(const struct job *j)
{
    const struct check_side *s = &j->send, *r = &j->recv;
    const struct check_call *k = j->check;
    void *to = (void *)(size_t)r->arg;
    const struct coll_functions *f = k->functions;
    const MPI_Op op = k->type->op;
    const int *scounts = j->brings || k->known ? s->counts : NULL;
    const int *rcounts = j->takes || k->known ? r->counts : NULL;
    const int n = r->counts ? r->counts[0] : 0;

    switch (k->operation) {
    case HITOP_ALLGATHER:
        return f->allgather(s->arg, s->counts[0], s->type, to, n, r->type, j->comm);
    case HITOP_ALLGATHERV:
        return f->allgatherv(s->arg, s->counts[0], s->type, to, r->counts, r->displs, r->type,
                             j->comm);
    case HITOP_ALLREDUCE:
        return f->allreduce(s->arg, to, n, r->type, op, j->comm);
    case HITOP_ALLTOALL:
        return f->alltoall(s->arg, s->counts[0], s->type, to, n, r->type, j->comm);
    case HITOP_ALLTOALLV:
        return f->alltoallv(s->arg, s->counts, s->displs, s->type, to, r->counts, r->displs,
                            r->type, j->comm);
    case HITOP_BARRIER:
        return f->barrier(j->comm);
    case HITOP_BCAST:
        return f->bcast(to, n, r->type, k->root, j->comm);
    case HITOP_EXSCAN:
        return f->exscan(s->arg, to, n, r->type, op, j->comm);
    case HITOP_GATHER:
        return f->gather(s->arg, s->counts[0], s->type, to, n, r->type, k->root, j->comm);
    case HITOP_GATHERV:
        return f->gatherv(s->arg, s->counts[0], s->type, to, rcounts, j->takes ? r->displs : NULL,
                          r->type, k->root, j->comm);
    case HITOP_REDUCE:
        return f->reduce(s->arg, to, n, r->type, op, k->root, j->comm);
    case HITOP_REDUCE_SCATTER:
        return f->reduce_scatter(s->arg, to, s->counts, r->type, op, j->comm);
    case HITOP_REDUCE_SCATTER_BLOCK:
        return f->reduce_scatter_block(s->arg, to, n, r->type, op, j->comm);
    case HITOP_SCAN:
        return f->scan(s->arg, to, n, r->type, op, j->comm);
    case HITOP_SCATTER:
        return f->scatter(s->arg, s->counts[0], s->type, to, n, r->type, k->root, j->comm);
    case HITOP_SCATTERV:
        return f->scatterv(s->arg, scounts, j->brings ? s->displs : NULL, s->type, to, n, r->type,
                           k->root, j->comm);
    case HITOP_NOPERATIONS:
        break;
    }
    return MPI_ERR_INTERN;
}

static size_t count_unlike(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < bytes; i++) {
        n += a[i] != b[i];
    }
    return n;
}

/* The own block of a reduction comes to the beginning, be there room for all or not. */
static void put_own(const struct job *j, unsigned char *memory, const unsigned char *packed)
{
    int counts[1] = {j->send.counts[j->rank]};
    const int displs[1] = {0};
    struct check_side own = j->recv;

    own.counts = counts;
    own.displs = (int *)(size_t)displs;
    check_side_put_piece(&own, memory, 0, packed);
}

/* Of a reduction in place MPI leaves open what becomes of the blocks of others. */
static size_t defined_bytes(const struct job *j)
{
    return j->send.arg == MPI_IN_PLACE && j->operation->takes == HITOP_BLOCK
               ? (size_t)j->send.counts[j->rank] * (size_t)j->recv.extent
               : j->recv.bytes;
}

/* What both sides should be afterwards, gaps included, as a copy of what they are before. */
static size_t run_and_compare(struct job *j)
{
    const struct hitop_operation *o = j->operation;
    const int leaves = o->takes == HITOP_NOTHING || !j->takes || j->recv.arg == MPI_IN_PLACE ||
                       (j->check->operation == HITOP_EXSCAN && j->rank == 0);
    unsigned char *send = check_get(j->send.bytes, 1), *recv = check_get(j->recv.bytes, 1);
    unsigned char *packed = check_get(j->c.ntakes[j->rank], 1);
    size_t wrong;

    memcpy(send, j->send.memory, j->send.bytes);
    memcpy(recv, j->recv.memory, j->recv.bytes);
    if (!leaves) {
        hitop_coll_case_expect(&j->c, j->rank, packed);
        if (o->takes == HITOP_BLOCK && o->flags & HITOP_REDUCES) {
            put_own(j, recv, packed);
        } else {
            check_side_put(&j->recv, recv, packed);
        }
    }
    wrong = call(j) != MPI_SUCCESS;
    wrong += count_unlike(send, j->send.memory, j->send.bytes);
    wrong += count_unlike(recv, j->recv.memory, defined_bytes(j));
    free(packed);
    free(recv);
    free(send);
    return wrong;
}

size_t check_call_run(const struct check_call *check, MPI_Comm comm)
{
    const size_t unit = check->type->elements->unit;
    struct check_call possible = *check;
    struct job j = {.check = &possible,
                    .operation = &hitop_operations()[check->operation],
                    .comm = comm,
                    .c = {.root = check->root,
                          .bytes = check->elements * unit,
                          .ordered = check->type->ordered,
                          .in_place = check->in_place,
                          .only = -1,
                          .unit = unit,
                          .salt = check->salt,
                          .elements = check->type->elements}};
    size_t wrong;

    MPI_Comm_rank(comm, &j.rank);
    MPI_Comm_size(comm, &j.c.size);
    j.c.operation = j.operation;
    possible.gaps = check->gaps && j.operation->flags & HITOP_UNEVEN;
    j.c.uneven = possible.gaps;
    j.brings = j.operation->brings != HITOP_NOTHING &&
               (!(j.operation->flags & HITOP_ROOT_BRINGS) || j.rank == check->root);
    j.takes = j.operation->takes != HITOP_NOTHING &&
              (!(j.operation->flags & HITOP_ROOT_TAKES) || j.rank == check->root);
    if (hitop_coll_case_init(&j.c, NULL) != HITOP_OK) {
        check_out_of_memory();
    }
    hitop_coll_case_fill(&j.c);
    make_sides(&j);
    wrong = run_and_compare(&j);
    check_side_free(&j.send);
    check_side_free(&j.recv);
    hitop_coll_case_fini(&j.c);
    return wrong;
}

void check_call_describe(const struct check_call *check, size_t wrong, char *out, size_t length)
{
    (void)snprintf(out, length, "%zu bytes wrong: %zu elements of %s, root %d%s%s%s", wrong,
                   check->elements, check->type->name, check->root,
                   check->in_place ? ", in place" : "", check->gaps ? ", unlike blocks" : "",
                   check->known ? ", counts known" : "");
}
