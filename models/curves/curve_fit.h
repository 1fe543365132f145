/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_FIT_H
#define CURVE_FIT_H

/* curve_fit.h - what the fits of T(m) and of T(m, P) share. */

#include "models/curves/curves.h"
#include "models/fit/errors.h"

extern const struct hitop_fit_term hitop_term_one, hitop_term_byte, hitop_term_byte_square;

/* A time and its standard error, > 0. */
struct timed_point {
    size_t bytes;
    int ranks;
    double seconds, se;
};

/* Terms that a sum may have. */
struct term_set {
    const struct hitop_fit_term *term[HITOP_FIT_MAX_TERMS];
    int n;
    int may_fall; /* 1: factors below 0 are allowed */
};

/* Opaque memory of a solver, for at most max_points points. */
struct solver;

/* NULL when out of memory. */
struct solver *hitop_solver_create(size_t max_points);
void hitop_solver_free(struct solver *s);

/*
 * Fit exactly these terms. All factors are above 0 unless the set allows others. Returns 0 and a
 * piece without terms where no such sum exists. loss: remaining deviations.
 */
int hitop_solve_all_of(struct solver *s, const struct timed_point *points, size_t n,
                       const struct term_set *set, double confidence, struct hitop_fit_piece *out,
                       double *loss);

/* Fit the subset of the terms that leaves the least deviations. */
int hitop_solve_some_of(struct solver *s, const struct timed_point *points, size_t n,
                        const struct term_set *set, double confidence, struct hitop_fit_piece *out);

/* The terms of a set whose bits are set. */
struct term_set hitop_term_subset(const struct term_set *set, unsigned bits);

/* Points by ranks, then by size; all numbers of ranks have all sizes. */
struct grid {
    const struct timed_point *points;
    size_t nsizes, nranks;
};

/* A method to fit a form; fit() returns 0 where it cannot. */
struct fit_method {
    int (*fit)(void *context, const struct timed_point *points, size_t n,
               struct hitop_fit_form *out);
    void *context;
    const struct hitop_fit_form
        *changes; /* errors at sizes next to its changes are kept apart; NULL: none are */
};

/* Memory for trials, used again for each. */
struct trial_memory {
    struct timed_point *kept;
    struct error_list sizes, changes, ranks, all;
    double *half; /* of intervals, relative */
    int nhalf, covered;
};

/* 0 without memory. */
int hitop_trial_reserve(struct trial_memory *memory, size_t npoints);
void hitop_trial_clear(struct trial_memory *memory);

/*
 * Fit a form to all points, then to parts of them, and fill in its errors. The caller sets its
 * name.
 */
void hitop_judge_form(const struct grid *grid, const struct fit_method *method,
                      struct trial_memory *memory, struct hitop_fit_form *form);

/* Index of the simplest of the forms that are about as good as the best, or -1. */
int hitop_choose_form(const struct hitop_fit_form *forms, double floor);

/*
 * 1: the error is at most 10 % above the best one, or exceeds it by at most the noise. Noise above
 * 10 % counts as 10 %.
 */
int hitop_is_good_enough(const struct hitop_errors *errors, double best, double floor);

/* Measured times as a grid, and what is needed to fit them. */
struct fit_task {
    struct timed_point *points;
    struct hitop_point *curve_points; /* the same in the type of hitop_segments_together() */
    struct hitop_curve *curves;       /* by number of ranks */
    struct grid grid;
    struct solver *solver;
    struct trial_memory memory;
    double confidence;
};

/*
 * Check the times, sort them and keep those whose size all numbers of ranks have; the others are
 * counted in out->left_out. Fills the ranges of out. Release with hitop_task_clear(), also after a
 * failure.
 */
enum hitop_status hitop_task_fill(struct fit_task *task, const struct hitop_rank_time *times,
                                  size_t n, double floor, double confidence,
                                  struct hitop_curve_fit *out, struct hitop_diag *diag);
void hitop_task_clear(struct fit_task *task);

/*
 * Sizes at which lines through these points begin; *n is at least 1. Lines through a part of the
 * grid may have a point less. Returns 0 without memory.
 */
int hitop_find_pieces(struct fit_task *task, const struct timed_point *points, size_t npoints,
                      size_t *begins, int *n);

/* Fill in the chosen form, the verdict and the sentence. */
void hitop_conclude_fit(struct hitop_curve_fit *fit);

enum { FEWEST_UNSEEN = 3 }; /* fewer points left out decide nothing */

#endif /* CURVE_FIT_H */
