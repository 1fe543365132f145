/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_benchmark_data.c - one wrong element is found, with every operation, type and cache: any one
 * of the call that is compared whole, and of a timed call one in each line.
 */
#include <config.h>

#include "tools/benchmark/benchmark_data_mpi.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, BYTES = 200, ROOT = 1 };

static int failures;

static void check(int good, const struct benchmark_data *d, const char *what)
{
    if (!good) {
        printf("FAIL: %s, %s, %s: %s, %llu wrong\n", d->kind->name, d->type->name,
               benchmark_cache_names[d->cache], what, d->wrong);
        failures++;
    }
}

/*
 * What an operation would leave at one rank, from the memory of all: here by one process for all of
 * them.
 */
static void operate(struct benchmark_data *d, int me)
{
    const struct benchmark_kind *k = d[0].kind;
    unsigned char *out = d[me].call.out;

    for (size_t b = 0; b < benchmark_blocks(k->gets, RANKS); b++) {
        const int sender = k->sender                    ? k->sender(me, RANKS, (int)b)
                           : k->flags & KIND_ROOT_GIVES ? ROOT
                                                        : (int)b;
        const size_t block = k->gives == BLOCKS_EACH ? (size_t)me : 0;
        if (sender >= 0) {
            memcpy(out + b * BYTES, (const unsigned char *)d[sender].call.in + block * BYTES,
                   BYTES);
        }
    }
}

static void open_all(struct benchmark_data *d, const struct benchmark_kind *kind,
                     const struct benchmark_type *type, enum benchmark_cache cache)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int r = 0; r < RANKS; r++) {
        d[r] = (struct benchmark_data){.cache = cache, .rank = r, .size = RANKS, .check = 1};
        if (benchmark_data_init(&d[r], benchmark_data_place(kind, RANKS, BYTES), 4096, 1 << 20,
                                &diag) != HITOP_OK) {
            abort();
        }
        benchmark_data_lay_out(&d[r], kind, type, BYTES, (int)(BYTES / type->bytes), type->type());
    }
}

static void become_all(struct benchmark_data *d)
{
    for (int r = 0; r < RANKS; r++) {
        benchmark_data_become(&d[r], d[r].kind, d[r].type, BYTES, d[r].call.count, d[r].call.type);
    }
}

/* 1: the rank is the root of a broadcast, which keeps its buffer. */
static int keeps(const struct benchmark_kind *kind, int rank)
{
    return kind->operation && kind->gives == BLOCKS_ONE && kind->flags & KIND_ROOT_GIVES &&
           rank == ROOT;
}

/* 1: the rank receives a first block. */
static int receives(const struct benchmark_kind *kind, int rank)
{
    const int gets = !(kind->flags & KIND_ROOT_GETS) || rank == ROOT;
    const int is_alone = kind->sender && kind->sender(rank, RANKS, 0) < 0;

    return gets && !is_alone && !keeps(kind, rank);
}

/*
 * One wrong bit of any byte of the first block is found, in every second call; the contents fit the
 * timed calls afterwards.
 */
static void try_whole(const struct benchmark_kind *kind, const struct benchmark_type *type,
                      enum benchmark_cache cache)
{
    struct benchmark_data d[RANKS];

    open_all(d, kind, type, cache);
    for (long turn = 1; turn <= 2L * BYTES; turn++) {
        for (int r = 0; r < RANKS; r++) {
            benchmark_data_prepare_whole(&d[r], turn, ROOT);
        }
        for (int r = 0; r < RANKS; r++) {
            operate(d, r);
        }
        for (int r = 0; r < RANKS; r++) {
            const int is_wrong = turn % 2 == 0 && (receives(kind, r) || keeps(kind, r));
            const void *result = keeps(kind, r) ? d[r].call.in : d[r].call.out;
            if (is_wrong) {
                ((unsigned char *)(uintptr_t)result)[turn / 2 % BYTES] ^= 1;
            }
            d[r].wrong = 0;
            benchmark_data_compare(&d[r]);
            check(d[r].wrong == (unsigned)is_wrong, &d[r], "whole");
        }
    }
    for (int r = 0; r < RANKS; r++) { /* nothing arrives */
        benchmark_data_prepare_whole(&d[r], 2, ROOT);
        d[r].wrong = 0;
        benchmark_data_compare(&d[r]);
        check((d[r].wrong > 0) == receives(kind, r), &d[r], "whole, no call");
    }
    become_all(d);
    for (int r = 0; r < RANKS; r++) {
        benchmark_data_prepare(&d[r], 2, ROOT);
    }
    for (int r = 0; r < RANKS; r++) {
        operate(d, r);
        d[r].wrong = 0;
        benchmark_data_look(&d[r]);
        check(d[r].wrong == 0, &d[r], "a timed call after a whole one");
    }
    for (int r = 0; r < RANKS; r++) {
        benchmark_data_fini(&d[r]);
    }
}

/* Moves bytes, which every type has; reductions are in mpi_benchmark.sh. */
static void try_kind(const struct benchmark_kind *kind, const struct benchmark_type *type,
                     enum benchmark_cache cache)
{
    struct benchmark_data d[RANKS];

    open_all(d, kind, type, cache);
    become_all(d);
    for (long turn = 1; turn < 40; turn++) {
        for (int r = 0; r < RANKS; r++) {
            benchmark_data_prepare(&d[r], turn, ROOT);
        }
        for (int r = 0; r < RANKS; r++) {
            operate(d, r);
            if (turn == 20 && receives(kind, r)) { /* the last element of the first block */
                ((unsigned char *)d[r].call.out)[BYTES - 1] ^= 0x40;
            }
            d[r].wrong = 0;
            benchmark_data_look(&d[r]);
            check(d[r].wrong == (turn == 20 && receives(kind, r)), &d[r], "one call");
            if (turn == 21) { /* a call that does nothing is found, too: memory was wiped */
                benchmark_data_look(&d[r]);
                check((d[r].wrong > 0) == receives(kind, r), &d[r], "no call");
            }
        }
    }
    for (int r = 0; r < RANKS; r++) {
        benchmark_data_fini(&d[r]);
    }
}

/*
 * Hot messages lie on many pages, one after the other; those that are always the same stay where
 * they are.
 */
static void look_where(const struct benchmark_kind *kind, const struct benchmark_type *type,
                       enum benchmark_cache cache)
{
    enum { TURNS = 200, LONGEST = 3 * 4096 };
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct benchmark_data d = {.cache = cache, .seed = 17, .size = RANKS};
    const unsigned char *seen[TURNS];
    int n = 0, inside = 1;

    if (benchmark_data_init(&d, benchmark_data_place(kind, RANKS, LONGEST), 4096, 1 << 20, &diag) !=
        HITOP_OK) {
        abort();
    }
    for (int turn = 0; turn < TURNS; turn++) {
        const size_t bytes = turn % 2 ? LONGEST : BYTES;
        int known = 0;
        benchmark_data_become(&d, kind, type, bytes, (int)(bytes / type->bytes), type->type());
        benchmark_data_prepare(&d, turn, ROOT);
        for (int i = 0; i < n; i++) {
            known |= seen[i] == d.call.in;
        }
        if (!known) {
            seen[n++] = d.call.in;
        }
        inside &= ((const unsigned char *)d.call.in - d.pool) % 4096 == 0 &&
                  (unsigned char *)d.call.out + bytes * benchmark_blocks(kind->gets, RANKS) <=
                      d.pool + d.room;
    }
    check(inside, &d, "memory");
    check(cache == CACHE_HOT ? n > 40 : n == 1, &d, "places");
    benchmark_data_fini(&d);
}

int main(int argc, char **argv)
{
    static const char *const types[] = {"byte", "int", "double"};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    MPI_Init(&argc, &argv);
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        for (size_t t = 0; t < sizeof(types) / sizeof(types[0]) && !(k->flags & KIND_SUMS); t++) {
            const struct benchmark_type *type;
            if (benchmark_type_find(types[t], k, &type, &diag) != HITOP_OK) {
                abort();
            }
            for (int c = 0; benchmark_cache_names[c] && k->gets != BLOCKS_NONE; c++) {
                try_kind(k, type, (enum benchmark_cache)c);
                try_whole(k, type, (enum benchmark_cache)c);
            }
            look_where(k, type, CACHE_HOT);
            look_where(k, type, CACHE_SAME);
        }
    }
    MPI_Finalize();
    printf("%d failures\n", failures);
    return failures > 0;
}
