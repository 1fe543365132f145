/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JUDGE_H
#define JUDGE_H

/*
 * judge.h - compare a model with samples. Without side effects.
 *
 * An error is ln(predicted / measured). A row holds when its median error is within its limit, the
 * larger of its tolerance and twice its noise: a model cannot be closer to measurements than they
 * are to each other. If the noise exceeds VALIDATE_MOST_NOISE and the tolerance, the row is
 * undecided. The worst error of a row must be within VALIDATE_WORST limits, too: of pairs the
 * median error of one pair, else the error at one size.
 */

#include "models/fit/validation.h"

enum { VALIDATE_WORST = 2, VALIDATE_MOST_LAUNCHES = 17 };

#define VALIDATE_MOST_NOISE 0.5

/* What is measured. */
enum validate_part {
    VALIDATE_PAIRS,      /* one message between two ranks at a time */
    VALIDATE_PATTERNS,   /* many messages at once, in ways that no fit has seen */
    VALIDATE_OPERATIONS, /* collectives */
    VALIDATE_NPARTS
};

/* One thing at one size, as predicted and as measured. */
struct validate_sample {
    enum validate_part part;
    /* of pairs the group in which they meet; else the number of the pattern or operation */
    int group;
    const char *level; /* of that group; else the name of the pattern or operation */
    const char *name;  /* of that group; else "" */
    int rank[2];       /* of pairs */
    int is_known;      /* 1: the model was made from this pair */
    size_t bytes;
    double predicted;
    double predicted_se;    /* standard error; NaN where unknown */
    double seconds, lo, hi; /* measured, with the interval; 0: not measured */
    /*
     * the same in either half of the run, or in this launch and in the middle of earlier ones;
     * 0: not measured
     */
    double again[2];
    double launch[VALIDATE_MOST_LAUNCHES]; /* medians, this launch first; where there are earlier
                                              ones */
    int nlaunches;
    int nsamples;  /* both halves together */
    int converged; /* 1: either half is as precise as wanted */
};

/* What is taken together. */
enum validate_by { VALIDATE_BY_GROUP, VALIDATE_BY_LEVEL, VALIDATE_BY_SIZE };

struct validate_row {
    const struct validate_sample *first; /* one that is in it: what its part, group, ... are */
    int nsamples, nmissing;              /* measured, and not */
    int npairs, nknown;                  /* pairs, and those of them that the model was made from */
    struct hitop_errors errors;
    double floor; /* between the halves of the run, relative */
    /* measured times inside the model's 95 % intervals, and the number of these intervals */
    int ninside, nintervals;
    double limit; /* relative */
    const struct validate_sample
        *worst;         /* of the pair that is farthest off, or at the size that is; or NULL */
    double worst_error; /* how far, with its sign: of a pair the median over sizes, relative */
    int holds;          /* 1 also without measurements, or if the row is undecided */
    int is_noisy;       /* 1: the row is undecided */
};

struct validate_rows {
    struct validate_row *row; /* owned; in the order of samples */
    int n;
};

/* One more launch; without any of them the sample's own time is one. */
void hitop_validate_add_launch(struct validate_sample *sample, double seconds, double lo,
                               double hi);

/*
 * Sum up samples of all parts, those of a part that belong together in one row.
 *
 * tolerance  by part, relative
 * out        borrows samples; to be cleared
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_judge(const struct validate_sample *samples,
                                                        int n, enum validate_by by,
                                                        const double tolerance[VALIDATE_NPARTS],
                                                        struct validate_rows *out,
                                                        struct hitop_diag *diag);

void hitop_validate_rows_clear(struct validate_rows *rows);

/* Predicted over measured, less 1; 0 where it was not measured. */
double hitop_validate_deviation(const struct validate_sample *s);

#endif /* JUDGE_H */
