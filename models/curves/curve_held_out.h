/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CURVE_HELD_OUT_H
#define CURVE_HELD_OUT_H

/* curve_held_out.h - forms of T judged by points that their fit has not seen. */

#include "models/curves/curve_solve.h"
#include "models/fit/errors.h"

/* Points by ranks, then by size; all numbers of ranks have all sizes. */
struct grid {
    const struct timed_point *points;
    size_t nsizes, nranks;
};

/* A way to fit a form: 0 where it cannot. */
struct fit_method {
    int (*fit)(void *context, const struct timed_point *points, size_t n,
               struct hitop_fit_form *out);
    void *context;
    const struct hitop_fit_form
        *changes; /* sizes next to its changes are counted apart; NULL: none */
};

/* Memory that a trial needs, to be used again. */
struct trial_room {
    struct timed_point *kept;
    struct error_list sizes, changes, ranks, all;
    double *half; /* of intervals, relative */
    int nhalf, covered;
};

/* 0 without memory. */
int hitop_trial_reserve(struct trial_room *room, size_t npoints);
void hitop_trial_clear(struct trial_room *room);

/* Fit a form to all points, then to parts of them; name and numbers are the caller's. */
void hitop_judge_form(const struct grid *grid, const struct fit_method *method,
                      struct trial_room *room, struct hitop_fit_form *form);

/* The simplest form of those that may be chosen, -1 when there is none. */
int hitop_choose_form(const struct hitop_fit_form *forms, double floor);

/* About as good as the best: within 10 % of its error, or within the noise, of which 10 % count at most. */
int hitop_is_good_enough(const struct hitop_errors *errors, double best, double floor);

#endif /* CURVE_HELD_OUT_H */
