/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_case.c - the memory of all ranks, and what they bring, by a formula. */
#include <config.h>

#include "tools/check/coll_case.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What inputs and outputs of a case have in common. */

static inline int coll_case_is(const struct coll_case *c, enum hitop_operation_id operation)
{
    return c->operation == &hitop_operations()[operation];
}

/* Bytes of an element. */
static inline size_t coll_case_unit(const struct coll_case *c)
{
    if (c->operation->flags & HITOP_REDUCES) {
        return c->elements ? c->elements->unit : CASE_UNIT;
    }
    return c->unit > 0 ? c->unit : 1;
}

/* Where a rank's own block is among all. */
static inline size_t coll_case_own_start(const struct coll_case *c, int rank)
{
    return c->starts ? c->starts[rank][rank] : (size_t)rank * c->bytes;
}

/* `n` zero elements of `bytes`; ends the program when out of memory. */
static void *coll_case_get(size_t n, size_t bytes)
{
    void *memory = calloc(n + 1, bytes);

    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Bytes from rank i for rank j: zero now and then. */
static size_t block_bytes(const struct coll_case *c, int i, int j)
{
    const size_t unit = coll_case_unit(c);

    return c->bytes / unit * (size_t)((3 * i + 5 * j) % 4) / 3 * unit;
}

static size_t *make_starts(const struct coll_case *c, int rank, int received)
{
    const int pairwise =
        coll_case_is(c, HITOP_ALLTOALLV) && !c->in_place; /* in place: alike both ways */
    size_t *starts = coll_case_get((size_t)c->size + 1, sizeof(*starts));

    for (int i = 0; i < c->size; i++) {
        const int from = pairwise ? (received ? i : rank) : 0;
        const int to = pairwise && received ? rank : i;
        size_t bytes = block_bytes(c, from, to);
        if (coll_case_is(c, HITOP_ALLTOALLV) && c->in_place) {
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

struct hitop_coll_args coll_case_args(const struct coll_case *c, int rank)
{
    return (struct hitop_coll_args){.rank = rank,
                                    .size = c->size,
                                    .root = c->root,
                                    .bytes = c->bytes,
                                    .starts = c->starts ? c->starts[rank] : NULL,
                                    .recv_starts = c->recv_starts ? c->recv_starts[rank] : NULL,
                                    .unit =
                                        c->operation->flags & HITOP_REDUCES ? coll_case_unit(c) : 1,
                                    .ordered = c->ordered};
}

/* What MPI_IN_PLACE makes one memory of, as offsets of input and output in it; 0: two memories. */
static int overlay(const struct coll_case *c, int rank, size_t *in, size_t *out)
{
    const unsigned flags = c->operation->flags;

    *in = *out = 0;
    if (!c->in_place || ((flags & (HITOP_ROOT_BRINGS | HITOP_ROOT_TAKES)) && rank != c->root) ||
        c->operation->brings == HITOP_NOTHING) {
        return 0;
    }
    if (c->operation->brings == HITOP_BLOCK) {
        *in = coll_case_own_start(c, rank);
    } else if (c->operation->takes == HITOP_BLOCK && !(flags & HITOP_REDUCES)) {
        *out = coll_case_own_start(c, rank);
    }
    return 1;
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void give_memory(struct coll_case *c, int rank)
{
    const struct hitop_coll_args args = coll_case_args(c, rank);
    size_t in, out;

    c->nbrings[rank] = hitop_coll_brings(c->operation, &args);
    c->ntakes[rank] = hitop_coll_takes(c->operation, &args);
    if (overlay(c, rank, &in, &out)) {
        c->nmemory[rank] = max_size(in + c->nbrings[rank], out + c->ntakes[rank]);
    } else {
        out = c->nbrings[rank];
        c->nmemory[rank] = out + c->ntakes[rank];
    }
    if (c->only == 0 || c->only == rank + 1) {
        c->memory[rank] = coll_case_get(c->nmemory[rank], 1);
    }
    c->brought[rank] = coll_case_get(c->nbrings[rank] + c->ntakes[rank], 1);
    if (c->memory[rank]) {
        c->input[rank] = c->memory[rank] + in;
        c->output[rank] = c->memory[rank] + out;
    }
}

static void coll_case_combine(void *self, const unsigned char *source, unsigned char *inout,
                              size_t bytes);

void coll_case_init(struct coll_case *c)
{
    const size_t n = (size_t)c->size;

    c->starts = c->recv_starts = NULL;
    if (c->uneven && (c->operation->flags & HITOP_UNEVEN)) {
        c->starts = coll_case_get(n, sizeof(*c->starts));
        if (coll_case_is(c, HITOP_ALLTOALLV)) {
            c->recv_starts = coll_case_get(n, sizeof(*c->recv_starts));
        }
    }
    c->memory = coll_case_get(n, sizeof(*c->memory));
    c->input = coll_case_get(n, sizeof(*c->input));
    c->output = coll_case_get(n, sizeof(*c->output));
    c->brought = coll_case_get(n, sizeof(*c->brought));
    c->nmemory = coll_case_get(n, sizeof(*c->nmemory));
    c->nbrings = coll_case_get(n, sizeof(*c->nbrings));
    c->ntakes = coll_case_get(n, sizeof(*c->ntakes));
    for (int r = 0; r < c->size; r++) {
        if (c->starts) {
            c->starts[r] = make_starts(c, r, 0);
        }
        if (c->recv_starts) {
            c->recv_starts[r] = make_starts(c, r, 1);
        }
        give_memory(c, r);
    }
    c->op = (struct hitop_replay_op){coll_case_combine, c};
}

void coll_case_fini(struct coll_case *c)
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
}

/* Byte i of what a rank brings; numbers a are odd, so that products do not vanish. */
static unsigned char pattern(int rank, size_t i)
{
    const unsigned x = (unsigned)(rank + 1) * 2654435761u ^ (unsigned)(i + 7) * 40503u;

    return (unsigned char)((x >> 11 ^ x >> 3) | (i % CASE_UNIT == 0));
}

static void bring(const struct coll_case *c, int rank, size_t n)
{
    const int made = c->elements && c->operation->flags & HITOP_REDUCES;
    const size_t unit = coll_case_unit(c);

    for (size_t i = 0; made && i * unit < n; i++) {
        c->elements->make(rank + c->salt, i, c->brought[rank] + i * unit);
    }
    for (size_t i = 0; !made && i < n; i++) {
        c->brought[rank][i] = pattern(rank + c->salt, i);
    }
}

void coll_case_fill(struct coll_case *c)
{
    for (int r = 0; r < c->size; r++) {
        const size_t n =
            coll_case_is(c, HITOP_BCAST) && r == c->root ? c->ntakes[r] : c->nbrings[r];
        bring(c, r, n);
        if (c->memory[r]) {
            memset(c->memory[r], 0x5a, c->nmemory[r]);
        }
        if (c->memory[r] && n > 0) {
            memcpy(coll_case_is(c, HITOP_BCAST) ? c->output[r] : c->input[r], c->brought[r], n);
        }
    }
}

/* What comes out of each operation, by its definition. */

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
    for (size_t i = 0; i < bytes; i += coll_case_unit(c)) {
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

/* A reduction step, for hitop_sched_replay(): inout becomes source op inout. */
static void coll_case_combine(void *self, const unsigned char *source, unsigned char *inout,
                              size_t bytes)
{
    const struct coll_case *c = self;

    if (bytes % coll_case_unit(c) != 0) {
        fprintf(stderr, "a reduction of %zu bytes cuts an element\n", bytes);
        exit(EXIT_FAILURE);
    }
    combine_bytes(c, source, inout, bytes);
}

/* Bytes `at` of what ranks first .. last bring, combined in their order. */
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

void coll_case_expect(const struct coll_case *c, int rank, unsigned char *out)
{
    const size_t n = c->ntakes[rank];

    if (n == 0 || (coll_case_is(c, HITOP_EXSCAN) && rank == 0)) { /* which MPI leaves open */
        return;
    }
    if (coll_case_is(c, HITOP_BCAST)) {
        memcpy(out, c->brought[c->root], n);
    } else if (coll_case_is(c, HITOP_SCAN) || coll_case_is(c, HITOP_EXSCAN)) {
        expect_reduced(c, 0, coll_case_is(c, HITOP_SCAN) ? rank : rank - 1, 0, n, out);
    } else if (c->operation->flags & HITOP_REDUCES) {
        const size_t at = c->operation->takes == HITOP_BLOCK ? coll_case_own_start(c, rank) : 0;
        expect_reduced(c, 0, c->size - 1, at, n, out);
    } else if (c->operation->brings == HITOP_BLOCK) {
        for (int r = 0; r < c->size; r++) {
            memcpy(out + start_of(c, c->starts, rank, r), c->brought[r], c->nbrings[r]);
        }
    } else if (c->operation->takes == HITOP_BLOCK) {
        memcpy(out, c->brought[c->root] + coll_case_own_start(c, rank), n);
    } else {
        size_t *const *theirs = c->recv_starts ? c->recv_starts : c->starts;
        for (int r = 0; r < c->size; r++) {
            const size_t from = start_of(c, c->starts, r, rank);
            memcpy(out + start_of(c, theirs, rank, r), c->brought[r] + from,
                   start_of(c, c->starts, r, rank + 1) - from);
        }
    }
}

size_t coll_case_count_wrong(const struct coll_case *c)
{
    size_t wrong = 0;

    for (int r = 0; r < c->size; r++) {
        const size_t n = c->ntakes[r];
        unsigned char *expected;
        if (coll_case_is(c, HITOP_EXSCAN) && r == 0) {
            continue;
        }
        expected = coll_case_get(n, 1);
        coll_case_expect(c, r, expected);
        for (size_t i = 0; i < n; i++) {
            wrong += c->output[r][i] != expected[i];
        }
        free(expected);
    }
    return wrong;
}
