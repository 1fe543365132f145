/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_case.c - inputs by a formula, outputs by the definition of each operation. */
#include <config.h>

#include "coll_case.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct element {
    uint32_t a, b;
};

static void *get(size_t n, size_t bytes)
{
    void *memory = calloc(n + 1, bytes);

    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static int is_named(const struct coll_case *c, const char *name)
{
    return strcmp(c->operation->name, name) == 0;
}

/* Bytes of an element. */
static size_t unit_of(const struct coll_case *c)
{
    if (c->operation->flags & HITOP_REDUCES) {
        return c->elements ? c->elements->unit : CASE_UNIT;
    }
    return c->unit > 0 ? c->unit : 1;
}

/* Bytes from rank i for rank j: zero now and then. */
static size_t block_bytes(const struct coll_case *c, int i, int j)
{
    const size_t unit = unit_of(c);

    return c->bytes / unit * (size_t)((3 * i + 5 * j) % 4) / 3 * unit;
}

static size_t *make_starts(const struct coll_case *c, int rank, int received)
{
    const int pairwise = is_named(c, "alltoallv") && !c->in_place; /* in place: alike both ways */
    size_t *starts = get((size_t)c->size + 1, sizeof(*starts));

    for (int i = 0; i < c->size; i++) {
        const int from = pairwise ? (received ? i : rank) : 0;
        const int to = pairwise && received ? rank : i;
        size_t bytes = block_bytes(c, from, to);
        if (is_named(c, "alltoallv") && c->in_place) {
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
                                    .unit = c->operation->flags & HITOP_REDUCES ? unit_of(c) : 1,
                                    .ordered = c->ordered};
}

/* Where a rank's own block is among all. */
static size_t own_block(const struct coll_case *c, int rank)
{
    return c->starts ? c->starts[rank][rank] : (size_t)rank * c->bytes;
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
        *in = own_block(c, rank);
    } else if (c->operation->takes == HITOP_BLOCK && !(flags & HITOP_REDUCES)) {
        *out = own_block(c, rank);
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
        c->memory[rank] = get(c->nmemory[rank], 1);
    }
    c->brought[rank] = get(c->nbrings[rank] + c->ntakes[rank], 1);
    if (c->memory[rank]) {
        c->input[rank] = c->memory[rank] + in;
        c->output[rank] = c->memory[rank] + out;
    }
}

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

static void reduce(void *self, const unsigned char *source, unsigned char *inout, size_t bytes)
{
    const struct coll_case *c = self;

    if (bytes % unit_of(c) != 0) {
        fprintf(stderr, "a reduction of %zu bytes cuts an element\n", bytes);
        exit(EXIT_FAILURE);
    }
    combine_bytes(c, source, inout, bytes);
}

void coll_case_init(struct coll_case *c)
{
    const size_t n = (size_t)c->size;

    c->starts = c->recv_starts = NULL;
    if (c->uneven && (c->operation->flags & HITOP_UNEVEN)) {
        c->starts = get(n, sizeof(*c->starts));
        if (is_named(c, "alltoallv")) {
            c->recv_starts = get(n, sizeof(*c->recv_starts));
        }
    }
    c->memory = get(n, sizeof(*c->memory));
    c->input = get(n, sizeof(*c->input));
    c->output = get(n, sizeof(*c->output));
    c->brought = get(n, sizeof(*c->brought));
    c->nmemory = get(n, sizeof(*c->nmemory));
    c->nbrings = get(n, sizeof(*c->nbrings));
    c->ntakes = get(n, sizeof(*c->ntakes));
    for (int r = 0; r < c->size; r++) {
        if (c->starts) {
            c->starts[r] = make_starts(c, r, 0);
        }
        if (c->recv_starts) {
            c->recv_starts[r] = make_starts(c, r, 1);
        }
        give_memory(c, r);
    }
    c->op = (struct hitop_replay_op){reduce, c};
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

static int is_bcast(const struct coll_case *c)
{
    return c->operation->takes == HITOP_MESSAGE && (c->operation->flags & HITOP_ROOT_BRINGS);
}

static void bring(const struct coll_case *c, int rank, size_t n)
{
    const int made = c->elements && c->operation->flags & HITOP_REDUCES;
    const size_t unit = unit_of(c);

    for (size_t i = 0; made && i * unit < n; i++) {
        c->elements->make(rank, i, c->brought[rank] + i * unit);
    }
    for (size_t i = 0; !made && i < n; i++) {
        c->brought[rank][i] = pattern(rank, i);
    }
}

void coll_case_fill(struct coll_case *c)
{
    for (int r = 0; r < c->size; r++) {
        const size_t n = is_bcast(c) && r == c->root ? c->ntakes[r] : c->nbrings[r];
        bring(c, r, n);
        if (c->memory[r]) {
            memset(c->memory[r], 0x5a, c->nmemory[r]);
        }
        if (c->memory[r] && n > 0) {
            memcpy(is_bcast(c) ? c->output[r] : c->input[r], c->brought[r], n);
        }
    }
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

    if (n == 0 || (is_named(c, "exscan") && rank == 0)) { /* which MPI leaves open */
        return;
    }
    if (is_bcast(c)) {
        memcpy(out, c->brought[c->root], n);
    } else if (is_named(c, "scan") || is_named(c, "exscan")) {
        expect_reduced(c, 0, is_named(c, "scan") ? rank : rank - 1, 0, n, out);
    } else if (c->operation->flags & HITOP_REDUCES) {
        const size_t at = c->operation->takes == HITOP_BLOCK ? own_block(c, rank) : 0;
        expect_reduced(c, 0, c->size - 1, at, n, out);
    } else if (c->operation->brings == HITOP_BLOCK) {
        for (int r = 0; r < c->size; r++) {
            memcpy(out + start_of(c, c->starts, rank, r), c->brought[r], c->nbrings[r]);
        }
    } else if (c->operation->takes == HITOP_BLOCK) {
        memcpy(out, c->brought[c->root] + own_block(c, rank), n);
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
        if (is_named(c, "exscan") && r == 0) {
            continue;
        }
        expected = get(n, 1);
        coll_case_expect(c, r, expected);
        for (size_t i = 0; i < n; i++) {
            wrong += c->output[r][i] != expected[i];
        }
        free(expected);
    }
    return wrong;
}
