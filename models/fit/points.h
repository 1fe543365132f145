/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POINTS_H
#define POINTS_H

/* points.h - measured times in a CSV file, as hierarchical_model --points writes them. */

#include "hitop/experiment.h"

struct measured_point {
    int rank[2]; /* the first one had the clock */
    enum hitop_experiment what;
    size_t bytes;
    double seconds, lo, hi; /* median and its interval */
    int nsamples, converged;
    int line; /* of the file */
};

struct points {
    struct measured_point *point; /* by ranks, experiment and size, each once */
    size_t n;
};

/*
 * Read the points between ranks 0..nranks-1. Fans, which have three ranks, are left out. Columns
 * are found by their names; other columns are skipped.
 *
 * HITOP_ERR_FORMAT: the file is wrong; the message names file and line, what is there and what is
 *                   allowed.
 * Release with hitop_points_clear(), also after a failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_points_read(const char *path, int nranks,
                                                     struct points *out, struct hitop_diag *diag);
void hitop_points_clear(struct points *points);

#endif /* POINTS_H */
