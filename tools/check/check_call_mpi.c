/* SPDX-License-Identifier: BSD-3-Clause */
/* check_call_mpi.c - run a collective on user memory, and compare all of that memory afterwards. */
#include <config.h>

#include "tools/check/check_call_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The user's memory on one side of a call. */
struct side {
    unsigned char *memory;
    size_t bytes;
    int n;           /* pieces */
    int *counts;     /* [n] elements */
    int *displs;     /* [n] */
    size_t *starts;  /* [n] packed bytes before each piece */
    const void *arg; /* argument of the call: memory, MPI_IN_PLACE or NULL */
    MPI_Datatype type;
    size_t size;
    MPI_Aint extent;
};

enum { UNTOUCHED = 0x5a };

/* End the job. */
static _Noreturn void out_of_memory(void)
{
    fputs("check_collective: out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}

/* `n` elements of `bytes`, zero; ends the job when out of memory. */
static void *get(size_t n, size_t bytes)
{
    void *memory = calloc(n + 1, bytes);

    if (!memory) {
        out_of_memory();
    }
    return memory;
}

/*
 * Pieces of packed bytes, up to the start of the next piece, or of `bytes` each if starts is NULL,
 * in memory without contents; gaps: displacements leave room between the pieces.
 */
static struct side make_side(const struct check_type *type, int gaps, int n, const size_t *starts,
                             size_t bytes)
{
    struct side s = {
        .n = n, .type = type->type, .size = type->elements->unit, .extent = type->extent};
    int end = 0;

    s.counts = get((size_t)n, sizeof(*s.counts));
    s.displs = get((size_t)n, sizeof(*s.displs));
    s.starts = get((size_t)n + 1, sizeof(*s.starts));
    for (int i = 0; i < n; i++) {
        s.starts[i] = starts ? starts[i] : (size_t)i * bytes;
        s.counts[i] = (int)((starts ? starts[i + 1] - starts[i] : bytes) / s.size);
        s.displs[i] = end + (gaps && n > 1 ? 1 + i % 3 : 0);
        end = s.displs[i] + s.counts[i];
    }
    s.bytes = ((size_t)end + 1) * (size_t)s.extent;
    s.memory = get(s.bytes, 1);
    memset(s.memory, UNTOUCHED, s.bytes);
    s.arg = s.memory;
    return s;
}

static void free_side(struct side *s)
{
    free(s->memory);
    free(s->counts);
    free(s->displs);
    free(s->starts);
}

/* Unpack one piece to its place in memory that has the form of the side. */
static void put_piece(const struct side *s, unsigned char *memory, int i,
                      const unsigned char *packed)
{
    const int bytes = s->counts[i] * (int)s->size;
    int position = 0;

    MPI_Unpack(packed, bytes, &position, memory + s->displs[i] * s->extent, s->counts[i], s->type,
               MPI_COMM_SELF);
}

static void put_pieces(const struct side *s, unsigned char *memory, const unsigned char *packed)
{
    for (int i = 0; i < s->n; i++) {
        put_piece(s, memory, i, packed + s->starts[i]);
    }
}

/* A call under way. */
struct job {
    const struct check_call *check;
    const struct hitop_operation *operation;
    struct coll_case c;
    int rank, brings, takes; /* brings, takes: 1: this rank has input, a result */
    struct side send, recv;
    MPI_Comm comm;
};

static struct side side_of(const struct job *j, enum hitop_share share, size_t *const *starts)
{
    const struct check_type *type = j->check->type;
    const size_t *mine = starts ? starts[j->rank] : NULL;
    /* a reduction's blocks have no displacements */
    const int dense = j->operation->flags & HITOP_REDUCES && j->operation->takes == HITOP_BLOCK;

    if (share == HITOP_BLOCKS) {
        return make_side(type, j->check->gaps && !dense, j->c.size, mine, j->c.bytes);
    }
    return make_side(type, 0, 1, NULL,
                     share == HITOP_BLOCK && mine ? mine[j->rank + 1] - mine[j->rank] : j->c.bytes);
}

/* Make the send side and the receive side; in place one side has both roles. */
static void make_sides(struct job *j)
{
    const struct hitop_operation *o = j->operation;
    const int in_place = j->check->in_place && j->brings && j->takes;
    const unsigned char *brought = j->c.brought[j->rank];
    const int is_larger =
        in_place && o->flags & HITOP_REDUCES; /* the receive side holds the input, too */

    j->send = side_of(j, o->brings, j->c.starts);
    j->recv = side_of(j, is_larger ? o->brings : o->takes,
                      j->c.recv_starts ? j->c.recv_starts : j->c.starts);
    if (j->check->operation == HITOP_BCAST) {
        if (j->rank == j->check->root) {
            put_pieces(&j->recv, j->recv.memory, brought);
        }
    } else if (in_place && o->flags & HITOP_ROOT_BRINGS) {
        put_pieces(&j->send, j->send.memory, brought);
        j->recv.arg = MPI_IN_PLACE;
    } else if (in_place && o->brings == HITOP_BLOCK) {
        put_piece(&j->recv, j->recv.memory, j->rank, brought);
        j->send.arg = MPI_IN_PLACE;
    } else if (in_place) {
        put_pieces(&j->recv, j->recv.memory, brought);
        j->send.arg = MPI_IN_PLACE;
    } else if (j->brings) {
        put_pieces(&j->send, j->send.memory, brought);
    }
    j->send.arg = j->brings ? j->send.arg : NULL;
    j->recv.arg = j->takes ? j->recv.arg : NULL;
}

static int call(const struct job *j)
{
    const struct side *s = &j->send, *r = &j->recv;
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

/* Put this rank's block of a reduction at the beginning, whether there is room for all or not. */
static void put_own(const struct job *j, unsigned char *memory, const unsigned char *packed)
{
    int counts[1] = {j->send.counts[j->rank]};
    const int displs[1] = {0};
    struct side own = j->recv;

    own.counts = counts;
    own.displs = (int *)(size_t)displs;
    put_piece(&own, memory, 0, packed);
}

/* The bytes of a result that MPI defines: after a reduction in place only this rank's block. */
static size_t defined_bytes(const struct job *j)
{
    return j->send.arg == MPI_IN_PLACE && j->operation->takes == HITOP_BLOCK
               ? (size_t)j->send.counts[j->rank] * (size_t)j->recv.extent
               : j->recv.bytes;
}

/*
 * Copy both sides, gaps included, put the expected result into the copies, run the call and
 * compare. Returns the number of wrong bytes; an error counts as one.
 */
static size_t run_and_compare(struct job *j)
{
    const struct hitop_operation *o = j->operation;
    const int leaves = o->takes == HITOP_NOTHING || !j->takes || j->recv.arg == MPI_IN_PLACE ||
                       (j->check->operation == HITOP_EXSCAN && j->rank == 0);
    unsigned char *send = get(j->send.bytes, 1), *recv = get(j->recv.bytes, 1);
    unsigned char *packed = get(j->c.ntakes[j->rank], 1);
    size_t wrong;

    memcpy(send, j->send.memory, j->send.bytes);
    memcpy(recv, j->recv.memory, j->recv.bytes);
    if (!leaves) {
        hitop_coll_case_expect(&j->c, j->rank, packed);
        if (o->takes == HITOP_BLOCK && o->flags & HITOP_REDUCES) {
            put_own(j, recv, packed);
        } else {
            put_pieces(&j->recv, recv, packed);
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
        out_of_memory();
    }
    hitop_coll_case_fill(&j.c);
    make_sides(&j);
    wrong = run_and_compare(&j);
    free_side(&j.send);
    free_side(&j.recv);
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
