/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOOSE_H
#define CHOOSE_H

/* choose.h - choose what to measure to judge a model: sizes and pairs of ranks. */

#include "models/validate/judge.h"

#include "hitop/hierarchy.h"
#include "hitop/measure.h"
#include "hitop/model.h"

/* What to compare, and how precisely. */
struct validate_request {
    const char *input; /* name of the file of the model */
    char *command;     /* for the provenance, owned */
    int has_range[2];  /* 1: min or max was given */
    int has_npairs;    /* 1: npairs was given */
    size_t min, max;
    int npairs;             /* of each level, fewer if the budget is short; 0: none */
    const char *patterns;   /* "all", "none", or names */
    const char *operations; /* "usual", "none", or names */
    double tolerance[VALIDATE_NPARTS];
    double eps; /* wanted half width of a median's interval, relative */
    int parallel;
    double budget, time_limit; /* seconds; 0: no limit */
    unsigned long long seed;
};

enum { VALIDATE_NSIZES = 8 };

/*
 * Choose sizes to measure, ascending; returns their number. They are from the smallest to the
 * largest size of the model, or of the range that the user gave; those between differ from the
 * measured sizes of the model.
 */
int hitop_validate_sizes(const struct hitop_model *model, const struct validate_request *request,
                         size_t out[VALIDATE_NSIZES]);

/* The ranks of a job, and the ranks of the model that represent them. */
struct validate_ranks {
    const struct hitop_model *model;
    const struct hitop_hierarchy *h; /* of the ranks of the job */
    const int *rank;                 /* [ranks of the job] rank of the model */
};

/*
 * Choose pairs to measure, at most npairs of each level: pairs that the model was not made from,
 * and others only if a group has no such pair; is_known is 1 for these. Unless the user gives the
 * number of pairs, it is halved until a visit to all pairs is short enough for the budget. The
 * caller frees both arrays, also on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_pairs_choose(
    const struct validate_ranks *ranks, const struct validate_request *request, const size_t *sizes,
    int nsizes, struct hitop_link **links, int **is_known, int *nlinks, struct hitop_diag *diag);

#endif /* CHOOSE_H */
