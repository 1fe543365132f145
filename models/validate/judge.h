/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JUDGE_H
#define JUDGE_H

/*
 * judge.h - what samples say of a model, summed up. Pure.
 *
 * An error is ln(predicted / measured). A row holds when its median error is within its limit, which is its tolerance
 * or twice its noise, whichever is more: nobody can ask a model to be nearer than measurements are to each other. Where they
 * are farther from each other than VALIDATE_MOST_NOISE, and than the tolerance, they tell nothing. What is
 * worst in it, of pairs the median error of one of them, else the error at one size, must be within VALIDATE_WORST limits,
 * too.
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
    int group; /* of pairs the group in which they meet; else the number of the pattern or operation */
    const char *level; /* of that group; else the name of the pattern or operation */
    const char *name;  /* of that group; else "" */
    int rank[2];       /* of pairs */
    int is_known;      /* 1: the model was made from this pair */
    size_t bytes;
    double predicted;
    double predicted_se;    /* standard error; NaN where unknown */
    double seconds, lo, hi; /* measured, with the interval; 0: not measured */
    double again
        [2]; /* the same in either half of the run, or in this launch and in the middle of earlier ones; 0: not measured */
    double launch
        [VALIDATE_MOST_LAUNCHES]; /* medians, this launch first; where there are earlier ones */
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
    int ninside,
        nintervals; /* measured times inside the model's 95 % intervals, and how many of these there are */
    double limit; /* relative */
    const struct validate_sample
        *worst;         /* of the pair that is farthest off, or at the size that is; or NULL */
    double worst_error; /* how far, with its sign: of a pair the median over sizes, relative */
    int holds;          /* 1 also where nothing was measured, or nothing can be told */
    int is_noisy;       /* 1: nothing can be told */
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
