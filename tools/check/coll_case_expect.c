/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_case_expect.c - what comes out of each operation, by its definition. */
#include <config.h>

#include "tools/check/coll_case_parts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void coll_case_combine(void *self, const unsigned char *source, unsigned char *inout, size_t bytes)
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
