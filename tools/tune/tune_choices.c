/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_choices.c - the settings that are measured. The lengths of the pieces of an algorithm come
 * before the size from which it is used.
 *
 * Not measured: patience, which is for processes that arrive late, and cma-row-from, because the
 * root rotates here.
 */
#include <config.h>

#include "tools/tune/tune.h"

#include <string.h>

#define KIB(n) ((size_t)(n)*1024)
#define AT(member) offsetof(struct hitop_thresholds, member)

static void never_cma(struct hitop_thresholds *row)
{
    row->cma_from = SIZE_MAX;
}

static void always_cma(struct hitop_thresholds *row)
{
    row->cma_from = 0;
}

static void never_direct_blocks(struct hitop_thresholds *row)
{
    row->gather_cma_from = row->scatter_cma_from = SIZE_MAX;
    row->allgather_direct_from = SIZE_MAX;
}

static void never_direct_reduce(struct hitop_thresholds *row)
{
    row->reduce_direct_from = row->allreduce_direct_from = SIZE_MAX;
}

static void always_rendezvous(struct hitop_thresholds *row)
{
    row->gather_cma_from = row->scatter_cma_from = 0;
}

/* The second algorithm from a size on. cma 1: only with cross-memory attach (CMA). */
#define FROM(name, field, operation, first_kib, last_kib, cma, forced)                             \
    {                                                                                              \
        .setting = (name), .kind = TUNE_FROM, .member = AT(field), .operations = {operation},      \
        .first = KIB(first_kib), .last = KIB(last_kib), .needs_cma = (cma), .force = (forced)      \
    }

/* Lengths of pieces between two values in KiB; the operations are the last arguments. */
#define PIECES(how, name, field, first_kib, last_kib, least, most, cma, forced, ...)               \
    {                                                                                              \
        .setting = (name), .kind = (how), .member = AT(field), .operations = {__VA_ARGS__},        \
        .first = KIB(first_kib), .last = KIB(last_kib), .least_piece = KIB(least),                 \
        .most_piece = KIB(most), .needs_cma = (cma), .force = (forced)                             \
    }

static const struct tune_choice choices[] = {
    PIECES(TUNE_PIECES, "fragment", fragment, 4, 8192, 4, 64, 0, never_cma, &tune_bcast),
    PIECES(TUNE_PIECES, "cma-chunk", chunk, 64, 8192, 32, 512, 1, always_cma, &tune_bcast),
    FROM("cma-from", cma_from, &tune_bcast, 4, 8192, 1, NULL),
    PIECES(TUNE_STEP, "gather-step", gather_step, 4, 1024, 8, 64, 0, never_direct_blocks,
           &tune_gather, &tune_allgather),
    PIECES(TUNE_STEP, "scatter-step", scatter_step, 4, 1024, 8, 64, 0, never_direct_blocks,
           &tune_scatter),
    PIECES(TUNE_PIECES, "rendezvous-chunk", rendezvous_chunk, 64, 8192, 32, 512, 1,
           always_rendezvous, &tune_gather, &tune_scatter),
    FROM("gather-cma-from", gather_cma_from, &tune_gather, 4, 4096, 1, NULL),
    {.setting = "spill-to",
     .kind = TUNE_UP_TO,
     .member = AT(spill_to),
     .operations = {&tune_scatter},
     .first = KIB(16),
     .last = KIB(4096),
     .force = never_direct_blocks},
    FROM("scatter-cma-from", scatter_cma_from, &tune_scatter, 4, 4096, 1, NULL),
    FROM("allgather-direct-from", allgather_direct_from, &tune_allgather, 4, 4096, 1, NULL),
    FROM("alltoall-direct-from", alltoall_direct_from, &tune_alltoall, 4, 4096, 1, NULL),
    PIECES(TUNE_PIECES, "reduce-part", reduce_part, 4, 8192, 8, 64, 0, never_direct_reduce,
           &tune_reduce),
    PIECES(TUNE_PIECES, "allreduce-part", allreduce_part, 4, 8192, 8, 128, 0, never_direct_reduce,
           &tune_allreduce),
    FROM("share-from", share_from, &tune_allreduce, 1, 8192, 0, never_direct_reduce),
    FROM("reduce-direct-from", reduce_direct_from, &tune_reduce, 32, 4096, 1, NULL),
    FROM("allreduce-direct-from", allreduce_direct_from, &tune_allreduce, 32, 4096, 1, NULL),
    /* measured last, because blocks of all other choices begin with barriers */
    {.setting = "barrier-lines-to",
     .kind = TUNE_COUNT,
     .member = AT(barrier_lines_to),
     .operations = {&tune_barrier},
     .first = 1,
     .last = 1},
};

enum { NCHOICES = sizeof(choices) / sizeof(choices[0]) };

_Static_assert(NCHOICES <= 32, "sets of choices are words");

const struct tune_choice *tune_choice(int n)
{
    return n < NCHOICES ? &choices[n] : NULL;
}

size_t tune_compared_size(const struct tune_choice *choice, size_t bytes, int nprocs)
{
    return choice->kind == TUNE_COUNT   ? (size_t)nprocs
           : choice->kind == TUNE_UP_TO ? bytes * (size_t)(nprocs - 1)
                                        : bytes;
}

static size_t present_length(const struct tune_choice *choice, const struct hitop_thresholds *row,
                             size_t compared)
{
    const void *value = (const char *)row + choice->member;
    size_t length;

    if (choice->kind == TUNE_PIECES) {
        return hitop_piece_for(value, compared);
    }
    memcpy(&length, value, sizeof(length));
    return length;
}

static int takes_second_algorithm(const struct tune_choice *choice,
                                  const struct hitop_thresholds *row, size_t compared)
{
    const char *value = (const char *)row + choice->member;
    size_t limit;
    int count;

    if (choice->kind == TUNE_COUNT) {
        memcpy(&count, value, sizeof(count));
        return compared > (size_t)count;
    }
    memcpy(&limit, value, sizeof(limit));
    return choice->kind == TUNE_UP_TO ? compared > limit : compared >= limit;
}

int tune_count_pieces(const struct tune_choice *choice)
{
    int n = 0;

    while (choice->least_piece > 0 && choice->least_piece << n <= choice->most_piece) {
        n++;
    }
    return n;
}

int tune_candidates(const struct tune_choice *choice, const struct hitop_thresholds *row,
                    size_t compared, int *present)
{
    const int n = tune_count_pieces(choice);
    size_t length;

    if (n == 0) {
        *present = takes_second_algorithm(choice, row, compared);
        return 2;
    }
    length = present_length(choice, row, compared);
    *present = 0;
    while (*present < n && choice->least_piece << *present != length) {
        (*present)++;
    }
    return *present == n ? n + 1 : n; /* the present length may be none of the others */
}

void tune_apply_candidate(const struct tune_choice *choice, struct hitop_thresholds *row, int k,
                          size_t compared)
{
    const int n = tune_count_pieces(choice), count = k ? 0 : (int)compared;
    const struct hitop_piece piece = {.up_to = SIZE_MAX, .bytes = choice->least_piece << k};
    const size_t limit = n > 0 ? piece.bytes : k > 0 ? 0 : SIZE_MAX;
    char *member = (char *)row + choice->member;

    if (choice->force) {
        choice->force(row);
    }
    if (n > 0 && k >= n) {
        return; /* the present length stays */
    }
    if (choice->kind == TUNE_COUNT) {
        memcpy(member, &count, sizeof(count));
    } else if (choice->kind == TUNE_PIECES) {
        memcpy(member, &piece, sizeof(piece));
    } else {
        memcpy(member, &limit, sizeof(limit));
    }
}
