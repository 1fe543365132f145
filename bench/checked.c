/* SPDX-License-Identifier: BSD-3-Clause */
/* checked.c - see checked.h. */
#include <config.h>

#include "bench/checked.h"

#include "bench/one_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, FEW = 64, NUMBER = sizeof(double), PAGE = 4096 };

static const struct hitop_operation *operation(enum hitop_operation_id id)
{
    return &hitop_operations()[id];
}

int checked_is_known(const struct hitop_operation *o)
{
    static const enum hitop_operation_id known[] = {
        HITOP_ALLGATHER, HITOP_ALLREDUCE, HITOP_ALLTOALL, HITOP_BARRIER,
        HITOP_BCAST,     HITOP_GATHER,    HITOP_REDUCE,   HITOP_SCATTER};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (o == operation(known[i])) {
            return 1;
        }
    }
    return 0;
}

size_t checked_length(const struct hitop_operation *o, size_t bytes)
{
    if (o->takes == HITOP_NOTHING) {
        return 0;
    }
    return o->flags & HITOP_REDUCES ? (bytes + NUMBER - 1) / NUMBER * NUMBER : bytes;
}

static int blocks(const struct checked *c, enum hitop_share share)
{
    return share == HITOP_NOTHING ? 0 : share == HITOP_BLOCKS ? c->size : 1;
}

void checked_init(struct checked *c, const struct hitop_operation *o, size_t longest, size_t cold,
                  MPI_Comm comm)
{
    const struct checked empty = {.operation = o, .comm = comm, .bytes = longest};
    size_t need;

    *c = empty;
    MPI_Comm_rank(comm, &c->rank);
    MPI_Comm_size(comm, &c->size);
    c->longest = longest;
    need = longest * (size_t)(blocks(c, o->brings) + blocks(c, o->takes));
    c->stride = (need + PAGE - 1) / PAGE * PAGE + LINE;
    c->nplaces = cold > c->stride ? cold / c->stride : 1;
    if (posix_memalign((void **)&c->pool, PAGE, c->nplaces * c->stride) != 0) {
        fprintf(stderr, "no memory for %zu bytes\n", c->nplaces * c->stride);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(c->pool, 0, c->nplaces * c->stride);
    c->in = c->pool;
}

void checked_fini(struct checked *c)
{
    free(c->pool);
}

/* What a rank sends in a block, in each line of it. */
static unsigned char content(int turn, int sender, int block)
{
    return (unsigned char)(turn * 37 + sender * 11 + block * 5 + 11);
}

/* Lines of a block that are touched: the first, and how far apart they are. */
static size_t lines(const struct checked *c, int turn, size_t *first)
{
    const size_t n = c->bytes / LINE;
    const size_t step = c->sparingly && n > FEW ? n / FEW : 1;

    *first = (size_t)turn % step * LINE;
    return step * LINE;
}

static void write_block(const struct checked *c, unsigned char *block, int turn,
                        unsigned char value)
{
    size_t first;
    const size_t step = lines(c, turn, &first);

    if (c->operation->flags & HITOP_REDUCES) {
        double *numbers = (double *)(void *)block;
        for (size_t i = first; i < c->bytes; i += step) {
            numbers[i / NUMBER] = value;
        }
        numbers[c->bytes / NUMBER - 1] = value;
    } else {
        for (size_t i = first; i < c->bytes; i += step) {
            block[i] = value;
        }
        block[c->bytes - 1] = value;
    }
}

static unsigned long long count_wrong(const struct checked *c, const unsigned char *block, int turn,
                                      double value)
{
    const double *numbers = (const double *)(const void *)block;
    const int sums = c->operation->flags & HITOP_REDUCES;
    unsigned long long wrong;
    size_t first;
    const size_t step = lines(c, turn, &first);

    wrong = sums ? numbers[c->bytes / NUMBER - 1] != value : block[c->bytes - 1] != value;
    for (size_t i = first; i < c->bytes; i += step) {
        wrong += (sums ? numbers[i / NUMBER] : (double)block[i]) != value;
    }
    return wrong;
}

void checked_write(struct checked *c, int turn, int root)
{
    const struct hitop_operation *o = c->operation;
    const int n = (o->flags & HITOP_ROOT_BRINGS) && c->rank != root ? 0 : blocks(c, o->brings);
    const int in = o == operation(HITOP_BCAST) ? 0 : blocks(c, o->brings);

    c->place = (c->place + 1) % c->nplaces;
    c->in = c->pool + c->place * c->stride;
    c->out = c->in + (size_t)in * c->bytes;
    for (int b = 0; b < n && c->bytes > 0; b++) {
        write_block(c, c->in + (size_t)b * c->bytes, turn, content(turn, c->rank, b));
    }
}

/* What block b of the result has in each of its lines. */
static double expected(const struct checked *c, int turn, int root, int b)
{
    const struct hitop_operation *o = c->operation;
    double sum = 0;

    if (o->flags & HITOP_REDUCES) {
        for (int r = 0; r < c->size; r++) {
            sum += content(turn, r, 0);
        }
        return sum;
    }
    if (o->flags & HITOP_ROOT_BRINGS) {
        return content(turn, root, o->brings == HITOP_BLOCKS ? c->rank : 0);
    }
    return content(turn, b, o->brings == HITOP_BLOCKS ? c->rank : 0);
}

void checked_look(struct checked *c, int turn, int root)
{
    const struct hitop_operation *o = c->operation;
    const int n = (o->flags & HITOP_ROOT_TAKES) && c->rank != root ? 0 : blocks(c, o->takes);

    for (int b = 0; b < n && c->bytes > 0; b++) {
        c->wrong += count_wrong(c, c->out + (size_t)b * c->bytes, turn, expected(c, turn, root, b));
    }
}

void checked_call(const struct checked *c, const struct coll_functions *by, int root)
{
    const int n = (int)c->bytes, numbers = n / NUMBER;

    if (!by) {
        return;
    }
    switch ((enum hitop_operation_id)(c->operation - hitop_operations())) {
    case HITOP_ALLGATHER:
        by->allgather(c->in, n, MPI_BYTE, c->out, n, MPI_BYTE, c->comm);
        break;
    case HITOP_ALLREDUCE:
        by->allreduce(c->in, c->out, numbers, MPI_DOUBLE, MPI_SUM, c->comm);
        break;
    case HITOP_ALLTOALL:
        by->alltoall(c->in, n, MPI_BYTE, c->out, n, MPI_BYTE, c->comm);
        break;
    case HITOP_BCAST:
        by->bcast(c->out, n, MPI_BYTE, root, c->comm);
        break;
    case HITOP_GATHER:
        by->gather(c->in, n, MPI_BYTE, c->out, n, MPI_BYTE, root, c->comm);
        break;
    case HITOP_REDUCE:
        by->reduce(c->in, c->out, numbers, MPI_DOUBLE, MPI_SUM, root, c->comm);
        break;
    case HITOP_SCATTER:
        by->scatter(c->in, n, MPI_BYTE, c->out, n, MPI_BYTE, root, c->comm);
        break;
    default:
        by->barrier(c->comm);
        break;
    }
}

int checked_barrier_holds(const struct coll_functions *by, MPI_Comm comm)
{
    int rank, size, holds = 1;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 2 * size; i++) {
        double came, left;
        if (i % size == rank) {
            one_clock_wait(one_clock_now() + 300e-6, comm);
        }
        came = one_clock_now();
        by->barrier(comm);
        left = one_clock_now();
        PMPI_Allreduce(MPI_IN_PLACE, &came, 1, MPI_DOUBLE, MPI_MAX, comm);
        PMPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_DOUBLE, MPI_MIN, comm);
        holds = holds && left >= came;
    }
    return holds;
}
