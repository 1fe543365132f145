/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_case.c - the memory of all ranks, and what they bring, by a formula. */
#include <config.h>

#include "tools/check/coll_case_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *coll_case_get(size_t n, size_t bytes)
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
