/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JUDGE_H
#define JUDGE_H

/*
 * judge.h - compare a model with samples.
 *
 * An error is ln(predicted / measured). A row holds if its median error is within its limit, the
 * larger of its tolerance and twice its noise: a model cannot be closer to measurements than they
 * are to each other. If the noise exceeds VALIDATE_MOST_NOISE and twice the noise exceeds the
 * tolerance, the row is undecided. Except in a row of a size, the worst error must also be within
 * VALIDATE_WORST times the limit: for pairs the median error of one pair, else the error at one
 * size.
 */

#include "models/fit/validation.h"

enum { VALIDATE_WORST = 2, VALIDATE_MOST_LAUNCHES = 17 };

#define VALIDATE_MOST_NOISE 0.5

/* What is measured. */
enum validate_part {
    VALIDATE_PAIRS,      /* one message between two ranks at a time */
    VALIDATE_PATTERNS,   /* many concurrent messages, in patterns that no fit used */
    VALIDATE_OPERATIONS, /* collectives */
    VALIDATE_NPARTS
};

/* The predicted and the measured time of a pair, pattern or operation at one size. */
struct validate_sample {
    enum validate_part part;
    /* of pairs their lowest common group; else the number of the pattern or operation */
    int group;
    const char *level; /* of that group; else the name of the pattern or operation */
    const char *name;  /* of that group; else "" */
    int rank[2];       /* of pairs */
    int is_known;      /* 1: the model was made from this pair */
    size_t bytes;
    double predicted;
    double predicted_se;    /* standard error; NaN: unknown */
    double seconds, lo, hi; /* measured, with the interval; 0: not measured */
    /*
     * seconds in the first and the second half of the run, or with several launches in launch[0]
     * and the median of the others; 0: not measured
     */
    double again[2];
    double launch[VALIDATE_MOST_LAUNCHES]; /* medians, this launch first; empty without earlier
                                              launches */
    int nlaunches;
    int nsamples;  /* both halves together */
    int converged; /* 1: both halves are as precise as requested */
};

/* Which samples are one row. */
enum validate_by { VALIDATE_BY_GROUP, VALIDATE_BY_LEVEL, VALIDATE_BY_SIZE };

struct validate_row {
    const struct validate_sample *first; /* its first sample, which has its part, group, ... */
    int nsamples, nmissing;              /* samples that were measured, and that were not */
    int npairs, nknown;                  /* pairs, and pairs that the model was made from */
    struct hitop_errors errors;
    double floor; /* noise: relative deviation between the halves of the run or the launches */
    /* measured times inside the model's 95 % intervals, and the number of these intervals */
    int ninside, nintervals;
    double limit; /* relative */
    const struct validate_sample
        *worst;         /* sample of the pair, or at the size, with the largest error; or NULL */
    double worst_error; /* relative, with sign; of a pair the median over sizes */
    int holds;          /* 1 also without measurements, or if the row is undecided */
    int is_noisy;       /* 1: the row is undecided */
};

struct validate_rows {
    struct validate_row *row; /* owned; in the order of samples */
    int n;
};

/* Add the time of an earlier launch. The first call also adds the sample's own time, if any. */
void hitop_validate_add_launch(struct validate_sample *sample, double seconds, double lo,
                               double hi);

/*
 * Sum up samples in rows; a row has samples of one part only.
 *
 * tolerance  of each part, relative
 * out        borrows samples; the caller clears it
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_judge(const struct validate_sample *samples,
                                                        int n, enum validate_by by,
                                                        const double tolerance[VALIDATE_NPARTS],
                                                        struct validate_rows *out,
                                                        struct hitop_diag *diag);

void hitop_validate_rows_clear(struct validate_rows *rows);

/* Predicted / measured - 1; 0 if the sample was not measured. */
double hitop_validate_deviation(const struct validate_sample *s);

#endif /* JUDGE_H */
