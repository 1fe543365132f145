/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARE_H
#define COMPARE_H

/*
 * compare.h - is an operation faster by Hitop or by the MPI library? Rules for a comparison in
 * which both serve the first calls in turns.
 *
 * A time is that of the slowest rank in one call or, where all ranks wait for all, of the rank that
 * arrives last. All times are integers, so that ranks with equal times decide the same. Pure: no
 * MPI.
 */

#include "hitop/operation.h"

#include <stddef.h>
#include <stdint.h>

enum compare_by { COMPARE_HITOP, COMPARE_MPI, COMPARE_NLIBRARIES };

enum {
    COMPARE_MOST = 32,   /* calls of each, at most */
    COMPARE_DEFAULT = 12 /* the default of HITOP_TRIAL */
};

/*
 * What serves call `i` = 0, 1, ... Of every two calls each serves one, in an order that matches no
 * short pattern of a program.
 */
enum compare_by hitop_compare_turn(int i);

/*
 * Calls of each after which ranks judge the times next; `n` is their number so far, `most` the
 * maximum.
 */
int hitop_compare_next_look(int n, int most);

enum compare_verdict { COMPARE_GO_ON, COMPARE_KEEP, COMPARE_LEAVE };

/*
 * Judge times ns[0..2n) of the first 2n calls. MPI gets the calls only where it is faster beyond
 * the spread of the times and by more than 3 %: where ranks arrive unevenly, times differ by
 * chance. Without `is_last` the next look decides where neither is 1.5 times as fast in the first
 * look, or where MPI's median is less in a later one, but not beyond the spread.
 */
enum compare_verdict hitop_compare_judge(const int64_t *ns, int n, int is_last);

/* Median time of the calls that `by` served, among the first 2n. */
int64_t hitop_compare_median(const int64_t *ns, int n, enum compare_by by);

/*
 * Size classes, each with a comparison of its own: 0 for no bytes, class k from 2^(k-1) to 2^k - 1
 * bytes.
 */
enum { COMPARE_SIZES = 65 };

int hitop_compare_size_class(size_t bytes);

/*
 * Places of roots, each with a comparison of its own: 0 to COMPARE_PLACES - 1; COMPARE_PLACES
 * stands for all larger ones.
 */
enum { COMPARE_PLACES = 16 };

/* The result for one kind of calls; equal on all ranks. */
struct compare_result {
    enum hitop_operation_id operation;
    int place, size_class;
    const char *algorithm;          /* what Hitop uses: "twolevel" or an algorithm; static */
    int calls;                      /* timed calls of each */
    int64_t ns[COMPARE_NLIBRARIES]; /* medians */
    int is_left;                    /* 1: MPI serves the calls from then on */
    int is_unlike; /* 1: lengths differed or some calls failed, so that nothing was decided */
};

/* Results in the order in which they were decided. */
struct compare_log {
    struct compare_result *results;
    int n;
};

#endif /* COMPARE_H */
