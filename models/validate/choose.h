/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOOSE_H
#define CHOOSE_H

/* choose.h - what is measured to judge a model: sizes and pairs of ranks. */

#include "models/validate/judge.h"

#include "hitop/hierarchy.h"
#include "hitop/measure.h"
#include "hitop/model.h"

/* What is compared, and how precisely. */
struct validate_request {
    const char *input; /* name of the file of the model */
    char *command;     /* for the provenance, owned */
    int has_range[2];  /* 1: min or max was given */
    int has_npairs;    /* 1: npairs was given */
    size_t min, max;
    int npairs;             /* of each level, fewer where the budget is short; 0: none */
    const char *patterns;   /* "all", "none", or names */
    const char *operations; /* "usual", "none", or names */
    double tolerance[VALIDATE_NPARTS];
    double eps; /* wanted half width of a median's interval, relative */
    int parallel;
    double budget, time_limit; /* seconds; no limit: 0 */
    unsigned long long seed;
};

enum { VALIDATE_NSIZES = 8 };

/* Sizes to measure, ascending, between the smallest and the largest of the model, or those of the
 * user, and different from the measured sizes of the model; returns their number. */
int hitop_validate_sizes(const struct hitop_model *model, const struct validate_request *request,
                         size_t out[VALIDATE_NSIZES]);

/* The ranks of a job, and those of the model that stand for them. */
struct validate_ranks {
    const struct hitop_model *model;
    const struct hitop_hierarchy *h; /* of the ranks of the job */
    const int *rank;                 /* of each rank of the job, the one of the model */
};

/*
 * Pairs to measure, at most npairs of each level: pairs that the model was not made from, and
 * others only where a group has no such pair; is_known marks these. Unless the user has given the
 * number, it is halved until a visit to all pairs is short enough for the budget. Both arrays are
 * the caller's, also on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_pairs_choose(
    const struct validate_ranks *ranks, const struct validate_request *request, const size_t *sizes,
    int nsizes, struct hitop_link **links, int **is_known, int *nlinks, struct hitop_diag *diag);

#endif /* CHOOSE_H */
