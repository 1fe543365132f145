/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFF_H
#define DIFF_H

/*
 * diff.h - two models of the same ranks, compared by their prices of messages.
 *
 * Of two prices a and b the difference is |ln(b / a)|: it depends neither on which model is the
 * first nor on the unit. It is reported as exp(d) - 1: 0.05 where one price is 5 % above the other.
 * Prices differ where they are further apart than the tolerance and the intervals of both, where
 * the models know them, do not overlap.
 */

#include "tools/info/info.h"

/*
 * What was compared: a pair of each class if both models have the same hierarchy, else pairs of
 * ranks.
 */
enum diff_choice { DIFF_CLASSES, DIFF_ALL_PAIRS, DIFF_RANDOM_PAIRS };

struct diff_pair {
    int i, j;
    int level; /* at which they meet in the first model; index into levels */
};

struct diff_pairs {
    enum diff_choice choice;
    struct diff_pair *pair;
    size_t n;
};

/* One level and one size. */
struct diff_row {
    int level;
    const char *name; /* of the level */
    size_t bytes, npairs;
    double median, q90; /* of exp|ln(b / a)| - 1 */
    double worst;       /* the largest of those that differ, or else of all */
    double bias;        /* exp(mean of ln(b / a)) - 1: above 0 where the second model is slower */
    int pair[2];        /* of the worst */
    double seconds[2];  /* their prices in either model */
    double width[2];    /* half of the interval of each, relative to it; NaN: not known */
    size_t ndifferent;  /* pairs beyond the tolerance whose intervals do not overlap */
};

enum { DIFF_COLLECTIVES = 12 };

/* A collective of all ranks by the fastest algorithm of each model. */
struct diff_collective {
    const char *operation;
    size_t bytes;
    double seconds[2];
    double change; /* of the second, relative */
};

struct diff {
    const struct info_request *request;
    struct info_levels levels; /* of the first model */
    struct diff_pairs pairs;
    struct diff_row *row; /* by level, the outermost first, then by size */
    size_t nrows;
    double worst; /* of all rows */
    int is_same;  /* no pair is beyond the tolerance and the intervals of both models */
    struct diff_collective collective[DIFF_COLLECTIVES];
    int ncollectives;
};

/* Write the comparison as text, CSV or JSON, as the request says. */
enum hitop_status diff_write(const struct diff *diff, FILE *to, struct hitop_diag *diag);

#endif /* DIFF_H */
