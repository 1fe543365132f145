/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_case.c - memory of all ranks: input from a formula, expected output from the definition of
 * MPI.
 */
#include <config.h>

#include "coll/reference/coll_case.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int is_operation(const struct coll_case *c, enum hitop_operation_id operation)
{
    return c->operation == &hitop_operations()[operation];
}

/* Bytes of an element. */
static size_t unit_of(const struct coll_case *c)
{
    if (c->operation->flags & HITOP_REDUCES) {
        return c->elements ? c->elements->unit : CASE_UNIT;
    }
    return c->unit > 0 ? c->unit : 1;
}

/* Offset of a rank's own block among the blocks of all ranks. */
static size_t own_start(const struct coll_case *c, int rank)
{
    return c->starts ? c->starts[rank][rank] : (size_t)rank * c->bytes;
}

/* Allocate n zeroed elements; not NULL for n = 0. */
static void *get(size_t n, size_t bytes)
{
    return calloc(n + 1, bytes);
}

/* Bytes of the block from rank i for rank j; some blocks are empty. */
static size_t block_bytes(const struct coll_case *c, int i, int j)
{
    const size_t unit = unit_of(c);

    return c->bytes / unit * (size_t)((3 * i + 5 * j) % 4) / 3 * unit;
}

static size_t *make_starts(const struct coll_case *c, int rank, int received)
{
    const int pairwise =
        is_operation(c, HITOP_ALLTOALLV) && !c->in_place; /* in place: equal lengths both ways */
    size_t *starts = get((size_t)c->size + 1, sizeof(*starts));

    for (int i = 0; starts && i < c->size; i++) {
        const int from = pairwise ? (received ? i : rank) : 0;
        const int to = pairwise && received ? rank : i;
        size_t bytes = block_bytes(c, from, to);
        if (is_operation(c, HITOP_ALLTOALLV) && c->in_place) {
            bytes = block_bytes(c, rank < i ? rank : i, rank < i ? i : rank);
        }
        starts[i + 1] = starts[i] + bytes;
    }
    return starts;
}

static void free_all(void *list, int n)
{
    void **items = list;

    for (int i = 0; items && i < n; i++) {
        free(items[i]);
    }
    free(items);
}

struct hitop_coll_args hitop_coll_case_args(const struct coll_case *c, int rank)
{
    return (struct hitop_coll_args){.rank = rank,
                                    .size = c->size,
                                    .root = c->root,
                                    .bytes = c->bytes,
                                    .starts = c->starts ? c->starts[rank] : NULL,
                                    .recv_starts = c->recv_starts ? c->recv_starts[rank] : NULL,
                                    .unit = c->operation->flags & HITOP_REDUCES ? unit_of(c) : 1,
                                    .ordered = c->ordered};
}

/*
 * With MPI_IN_PLACE, input and output share memory: set their offsets and return 1. Return 0 where
 * they are separate.
 */
static int overlay(const struct coll_case *c, int rank, size_t *in, size_t *out)
{
    const unsigned flags = c->operation->flags;

    *in = *out = 0;
    if (!c->in_place || ((flags & (HITOP_ROOT_BRINGS | HITOP_ROOT_TAKES)) && rank != c->root) ||
        c->operation->brings == HITOP_NOTHING) {
        return 0;
    }
    if (c->operation->brings == HITOP_BLOCK) {
        *in = own_start(c, rank);
    } else if (c->operation->takes == HITOP_BLOCK && !(flags & HITOP_REDUCES)) {
        *out = own_start(c, rank);
    }
    return 1;
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Allocate the memory of one rank; 0: out of memory. */
static int give_memory(struct coll_case *c, int rank)
{
    const struct hitop_coll_args args = hitop_coll_case_args(c, rank);
    const int has_memory = c->only == 0 || c->only == rank + 1;
    size_t in, out;

    c->nbrings[rank] = hitop_coll_brings(c->operation, &args);
    c->ntakes[rank] = hitop_coll_takes(c->operation, &args);
    if (overlay(c, rank, &in, &out)) {
        c->nmemory[rank] = max_size(in + c->nbrings[rank], out + c->ntakes[rank]);
    } else {
        out = c->nbrings[rank];
        c->nmemory[rank] = out + c->ntakes[rank];
    }
    c->brought[rank] = get(c->nbrings[rank] + c->ntakes[rank], 1);
    if (has_memory) {
        c->memory[rank] = get(c->nmemory[rank], 1);
    }
    if (!c->brought[rank] || (has_memory && !c->memory[rank])) {
        return 0;
    }
    if (has_memory) {
        c->input[rank] = c->memory[rank] + in;
        c->output[rank] = c->memory[rank] + out;
    }
    return 1;
}

/* Make the displacements of one rank where blocks differ; 0: out of memory. */
static int give_starts(struct coll_case *c, int rank)
{
    if (c->starts) {
        c->starts[rank] = make_starts(c, rank, 0);
    }
    if (c->recv_starts) {
        c->recv_starts[rank] = make_starts(c, rank, 1);
    }
    return (!c->starts || c->starts[rank]) && (!c->recv_starts || c->recv_starts[rank]);
}

/* Allocate the lists of all ranks; 0: out of memory. */
static int make_lists(struct coll_case *c)
{
    const size_t n = (size_t)c->size;
    const int is_uneven = c->uneven && (c->operation->flags & HITOP_UNEVEN);
    const int is_pairwise = is_uneven && is_operation(c, HITOP_ALLTOALLV);

    c->starts = is_uneven ? get(n, sizeof(*c->starts)) : NULL;
    c->recv_starts = is_pairwise ? get(n, sizeof(*c->recv_starts)) : NULL;
    c->memory = get(n, sizeof(*c->memory));
    c->input = get(n, sizeof(*c->input));
    c->output = get(n, sizeof(*c->output));
    c->brought = get(n, sizeof(*c->brought));
    c->nmemory = get(n, sizeof(*c->nmemory));
    c->nbrings = get(n, sizeof(*c->nbrings));
    c->ntakes = get(n, sizeof(*c->ntakes));
    return c->memory && c->input && c->output && c->brought && c->nmemory && c->nbrings &&
           c->ntakes && (c->starts || !is_uneven) && (c->recv_starts || !is_pairwise);
}

/* The map x -> a x + b. */
struct element {
    uint32_t a, b;
};

static struct element combine(const struct coll_case *c, struct element left, struct element right)
{
    return c->ordered ? (struct element){left.a * right.a, left.a * right.b + left.b}
                      : (struct element){left.a + right.a, left.b + right.b};
}

static void combine_bytes(const struct coll_case *c, const unsigned char *source,
                          unsigned char *inout, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += unit_of(c)) {
        struct element left, right;
        if (c->elements) {
            c->elements->combine(source + i, inout + i);
            continue;
        }
        memcpy(&left, source + i, CASE_UNIT);
        memcpy(&right, inout + i, CASE_UNIT);
        right = combine(c, left, right);
        memcpy(inout + i, &right, CASE_UNIT);
    }
}

void hitop_coll_case_combine(void *self, const unsigned char *source, unsigned char *inout,
                             size_t bytes)
{
    struct coll_case *c = self;

    c->ncut += bytes % unit_of(c) != 0;
    if (c->ncut == 0) {
        combine_bytes(c, source, inout, bytes);
    }
}

void hitop_coll_case_fini(struct coll_case *c)
{
    free_all(c->starts, c->size);
    free_all(c->recv_starts, c->size);
    free_all(c->memory, c->size);
    free_all(c->brought, c->size);
    free(c->input);
    free(c->output);
    free(c->nmemory);
    free(c->nbrings);
    free(c->ntakes);
    free(c->expected);
}

enum hitop_status hitop_coll_case_init(struct coll_case *c, struct hitop_diag *diag)
{
    size_t most = 0;
    int is_good = make_lists(c);

    for (int r = 0; is_good && r < c->size; r++) {
        is_good = give_starts(c, r) && give_memory(c, r);
        most = max_size(most, c->ntakes[r]);
    }
    c->expected = is_good ? get(most, 1) : NULL;
    c->ncut = 0;
    if (!c->expected) {
        hitop_coll_case_fini(c);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "memory of %d ranks: out of memory", c->size);
    }
    return HITOP_OK;
}

/*
 * Byte i of the input of a rank. The numbers a of elements are odd, so that products do not become
 * 0.
 */
static unsigned char pattern(int rank, size_t i)
{
    const unsigned x = (unsigned)(rank + 1) * 2654435761u ^ (unsigned)(i + 7) * 40503u;

    return (unsigned char)((x >> 11 ^ x >> 3) | (i % CASE_UNIT == 0));
}

static void bring(const struct coll_case *c, int rank, size_t n)
{
    const int made = c->elements && c->operation->flags & HITOP_REDUCES;
    const size_t unit = unit_of(c);

    for (size_t i = 0; made && i * unit < n; i++) {
        c->elements->make(rank + c->salt, i, c->brought[rank] + i * unit);
    }
    for (size_t i = 0; !made && i < n; i++) {
        c->brought[rank][i] = pattern(rank + c->salt, i);
    }
}

void hitop_coll_case_fill(struct coll_case *c)
{
    for (int r = 0; r < c->size; r++) {
        const size_t n =
            is_operation(c, HITOP_BCAST) && r == c->root ? c->ntakes[r] : c->nbrings[r];
        bring(c, r, n);
        if (c->memory[r]) {
            memset(c->memory[r], 0x5a, c->nmemory[r]);
        }
        if (c->memory[r] && n > 0) {
            memcpy(is_operation(c, HITOP_BCAST) ? c->output[r] : c->input[r], c->brought[r], n);
        }
    }
}

/* Combine the operands of ranks first .. last in rank order, from byte `at` on. */
static void expect_reduced(const struct coll_case *c, int first, int last, size_t at, size_t bytes,
                           unsigned char *out)
{
    memcpy(out, c->brought[last] + at, bytes);
    for (int r = last - 1; r >= first; r--) {
        combine_bytes(c, c->brought[r] + at, out, bytes);
    }
}

static size_t start_of(const struct coll_case *c, size_t *const *starts, int rank, int block)
{
    return starts ? starts[rank][block] : (size_t)block * c->bytes;
}

void hitop_coll_case_expect(const struct coll_case *c, int rank, unsigned char *out)
{
    const size_t n = c->ntakes[rank];

    if (n == 0 || (is_operation(c, HITOP_EXSCAN) && rank == 0)) { /* undefined in MPI */
        return;
    }
    if (is_operation(c, HITOP_BCAST)) {
        memcpy(out, c->brought[c->root], n);
    } else if (is_operation(c, HITOP_SCAN) || is_operation(c, HITOP_EXSCAN)) {
        expect_reduced(c, 0, is_operation(c, HITOP_SCAN) ? rank : rank - 1, 0, n, out);
    } else if (c->operation->flags & HITOP_REDUCES) {
        const size_t at = c->operation->takes == HITOP_BLOCK ? own_start(c, rank) : 0;
        expect_reduced(c, 0, c->size - 1, at, n, out);
    } else if (c->operation->brings == HITOP_BLOCK) {
        for (int r = 0; r < c->size; r++) {
            memcpy(out + start_of(c, c->starts, rank, r), c->brought[r], c->nbrings[r]);
        }
    } else if (c->operation->takes == HITOP_BLOCK) {
        memcpy(out, c->brought[c->root] + own_start(c, rank), n);
    } else {
        size_t *const *theirs = c->recv_starts ? c->recv_starts : c->starts;
        for (int r = 0; r < c->size; r++) {
            const size_t from = start_of(c, c->starts, r, rank);
            memcpy(out + start_of(c, theirs, rank, r), c->brought[r] + from,
                   start_of(c, c->starts, r, rank + 1) - from);
        }
    }
}

size_t hitop_coll_case_count_wrong(const struct coll_case *c)
{
    size_t wrong = 0;

    for (int r = 0; r < c->size; r++) {
        if (is_operation(c, HITOP_EXSCAN) && r == 0) {
            continue;
        }
        memset(c->expected, 0, c->ntakes[r]);
        hitop_coll_case_expect(c, r, c->expected);
        for (size_t i = 0; i < c->ntakes[r]; i++) {
            wrong += c->output[r][i] != c->expected[i];
        }
    }
    return wrong + c->ncut;
}
