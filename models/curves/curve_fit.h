/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_FIT_H
#define CURVE_FIT_H

/* curve_fit.h - what the fits of T(m) and of T(m, P) share. */

#include "models/curves/curve_held_out.h"

/* Measured times as a grid, and what is needed to fit them. */
struct fit_task {
    struct timed_point *points;
    struct hitop_point *curve_points; /* the same, as hitop_segments_together() wants them */
    struct hitop_curve *curves;       /* by number of ranks */
    struct grid grid;
    struct solver *solver;
    struct trial_room room;
    double confidence;
};

/* Check the times, sort them and keep those whose size all numbers of ranks have; the others are counted in
 * out->left_out. Fills the ranges of out. Release with hitop_task_clear(), also after a failure. */
enum hitop_status hitop_task_fill(struct fit_task *task, const struct hitop_rank_time *times,
                                  size_t n, double floor, double confidence,
                                  struct hitop_curve_fit *out, struct hitop_diag *diag);
void hitop_task_clear(struct fit_task *task);

/* Sizes at which lines through these points begin; *n is at least 1. Points are of all sizes of a grid or of a part
 * of them, where lines may have a point less. Gives 0 without memory. */
int hitop_find_pieces(struct fit_task *task, const struct timed_point *points, size_t npoints,
                      size_t *begins, int *n);

/* The chosen form, what is to be thought of it, and the sentence. */
void hitop_conclude_fit(struct hitop_curve_fit *fit);

enum { FEWEST_UNSEEN = 3 }; /* fewer points left out decide nothing */

#endif /* CURVE_FIT_H */
