/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_choices.c - the settings that are measured: how long pieces are first, then from where on
 * they are used.
 *
 * Not here: patience, which is for processes that come late, and cma-row-from, because roots
 * change.
 */
#include <config.h>

#include "tools/tune/tune.h"

#include <string.h>

#define KIB(n) ((size_t)(n)*1024)
#define AT(member) offsetof(struct hitop_thresholds, member)

static void never_pull(struct hitop_thresholds *row)
{
    row->cma_from = SIZE_MAX;
}

static void always_pull(struct hitop_thresholds *row)
{
    row->cma_from = 0;
}

static void never_straight(struct hitop_thresholds *row)
{
    row->gather_cma_from = row->scatter_cma_from = SIZE_MAX;
    row->allgather_direct_from = SIZE_MAX;
}

static void never_direct(struct hitop_thresholds *row)
{
    row->reduce_direct_from = row->allreduce_direct_from = SIZE_MAX;
}

static void always_hand(struct hitop_thresholds *row)
{
    row->gather_cma_from = row->scatter_cma_from = 0;
}

static const struct tune_choice choices[] = {
    {"fragment",
     TUNE_PIECES,
     AT(fragment),
     {&tune_bcast},
     KIB(4),
     KIB(8192),
     {KIB(4), KIB(8), KIB(16), KIB(32), KIB(64)},
     0,
     never_pull},
    {"cma-chunk",
     TUNE_PIECES,
     AT(chunk),
     {&tune_bcast},
     KIB(64),
     KIB(8192),
     {KIB(32), KIB(64), KIB(128), KIB(256), KIB(512)},
     1,
     always_pull},
    {"cma-from", TUNE_FROM, AT(cma_from), {&tune_bcast}, KIB(4), KIB(8192), {0}, 1, NULL},
    {"gather-step",
     TUNE_STEP,
     AT(gather_step),
     {&tune_gather, &tune_allgather},
     KIB(4),
     KIB(1024),
     {KIB(8), KIB(16), KIB(32), KIB(64)},
     0,
     never_straight},
    {"scatter-step",
     TUNE_STEP,
     AT(scatter_step),
     {&tune_scatter},
     KIB(4),
     KIB(1024),
     {KIB(8), KIB(16), KIB(32), KIB(64)},
     0,
     never_straight},
    {"rendezvous-chunk",
     TUNE_PIECES,
     AT(rendezvous_chunk),
     {&tune_gather, &tune_scatter},
     KIB(64),
     KIB(8192),
     {KIB(32), KIB(64), KIB(128), KIB(256), KIB(512)},
     1,
     always_hand},
    {"gather-cma-from",
     TUNE_FROM,
     AT(gather_cma_from),
     {&tune_gather},
     KIB(4),
     KIB(4096),
     {0},
     1,
     NULL},
    {"spill-to",
     TUNE_UP_TO,
     AT(spill_to),
     {&tune_scatter},
     KIB(16),
     KIB(4096),
     {0},
     0,
     never_straight},
    {"scatter-cma-from",
     TUNE_FROM,
     AT(scatter_cma_from),
     {&tune_scatter},
     KIB(4),
     KIB(4096),
     {0},
     1,
     NULL},
    {"allgather-direct-from",
     TUNE_FROM,
     AT(allgather_direct_from),
     {&tune_allgather},
     KIB(4),
     KIB(4096),
     {0},
     1,
     NULL},
    {"alltoall-direct-from",
     TUNE_FROM,
     AT(alltoall_direct_from),
     {&tune_alltoall},
     KIB(4),
     KIB(4096),
     {0},
     1,
     NULL},
    {"reduce-part",
     TUNE_PIECES,
     AT(reduce_part),
     {&tune_reduce},
     KIB(4),
     KIB(8192),
     {KIB(8), KIB(16), KIB(32), KIB(64)},
     0,
     never_direct},
    {"allreduce-part",
     TUNE_PIECES,
     AT(allreduce_part),
     {&tune_allreduce},
     KIB(4),
     KIB(8192),
     {KIB(8), KIB(16), KIB(32), KIB(64), KIB(128)},
     0,
     never_direct},
    {"share-from",
     TUNE_FROM,
     AT(share_from),
     {&tune_allreduce},
     KIB(1),
     KIB(8192),
     {0},
     0,
     never_direct},
    {"reduce-direct-from",
     TUNE_FROM,
     AT(reduce_direct_from),
     {&tune_reduce},
     KIB(32),
     KIB(4096),
     {0},
     1,
     NULL},
    {"allreduce-direct-from",
     TUNE_FROM,
     AT(allreduce_direct_from),
     {&tune_allreduce},
     KIB(32),
     KIB(4096),
     {0},
     1,
     NULL},
    /* the last one, because all other blocks begin with barriers */
    {"barrier-lines-to", TUNE_COUNT, AT(barrier_lines_to), {&tune_barrier}, 1, 1, {0}, 0, NULL},
};

enum { NCHOICES = sizeof(choices) / sizeof(choices[0]) };

_Static_assert(NCHOICES <= 32, "sets of choices are words");

const struct tune_choice *tune_choice(int n)
{
    return n < NCHOICES ? &choices[n] : NULL;
}

const struct tune_choice *tune_find_choice(const char *setting)
{
    for (int n = 0; n < NCHOICES; n++) {
        if (strcmp(choices[n].setting, setting) == 0) {
            return &choices[n];
        }
    }
    return NULL;
}

size_t tune_compared_size(const struct tune_choice *choice, size_t bytes, int nprocs)
{
    return choice->kind == TUNE_COUNT   ? (size_t)nprocs
           : choice->kind == TUNE_UP_TO ? bytes * (size_t)(nprocs - 1)
                                        : bytes;
}

static void *member(const struct tune_choice *choice, struct hitop_thresholds *row)
{
    return (char *)row + choice->member;
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

static int takes_second_way(const struct tune_choice *choice, const struct hitop_thresholds *row,
                            size_t compared)
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

int tune_ways(const struct tune_choice *choice, const struct hitop_thresholds *row, size_t compared,
              int *present)
{
    int n = 0;
    size_t length;

    if (choice->pieces[0] == 0) {
        *present = takes_second_way(choice, row, compared);
        return 2;
    }
    length = present_length(choice, row, compared);
    while (n < TUNE_WAYS && choice->pieces[n] != 0 && choice->pieces[n] != length) {
        n++;
    }
    *present = n;
    while (n < TUNE_WAYS && choice->pieces[n] != 0) {
        n++;
    }
    return *present == n ? n + 1 : n; /* what is in force may be none of the others */
}

static void set_length(const struct tune_choice *choice, struct hitop_thresholds *row, size_t bytes)
{
    const struct hitop_piece one = {.up_to = SIZE_MAX, .bytes = bytes};

    if (choice->kind == TUNE_PIECES) {
        memcpy(member(choice, row), &one, sizeof(one));
    } else {
        memcpy(member(choice, row), &bytes, sizeof(bytes));
    }
}

void tune_take_way(const struct tune_choice *choice, struct hitop_thresholds *row, int k,
                   size_t compared)
{
    const size_t limit = k ? 0 : SIZE_MAX;
    const int count = k ? 0 : (int)compared;

    if (choice->force) {
        choice->force(row);
    }
    if (choice->kind == TUNE_COUNT) {
        memcpy(member(choice, row), &count, sizeof(count));
    } else if (choice->pieces[0] == 0) {
        memcpy(member(choice, row), &limit, sizeof(limit));
    } else if (k < TUNE_WAYS && choice->pieces[k] != 0) {
        set_length(choice, row, choice->pieces[k]);
    }
}
