/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CASES_H
#define CASES_H

/* cases.h - plan patterns and collectives, and predict them. */

#include "models/validate/choose.h"

#include "hitop/plan.h"

/* A pattern or a collective at one size. */
struct validate_case {
    enum validate_part part;
    int number;              /* the same for all sizes of a pattern or collective */
    char name[64];           /* "shift", "bcast/binomial" */
    size_t bytes;            /* of a message or a block */
    struct hitop_plan *plan; /* owned */
    double predicted;        /* seconds */
};

struct validate_cases {
    struct validate_case *at; /* owned */
    int n;
    char skipped[512]; /* collectives that cannot run on these ranks, and why; or "" */
};

/*
 * Plan all requested patterns and collectives, and predict them.
 *
 * HITOP_ERR_NOTFOUND: there is no such pattern, operation or algorithm; the message lists the
 * valid ones. With model NULL only the names are checked.
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_cases_make(const struct validate_request *request,
                                                             const struct hitop_model *model,
                                                             const size_t *sizes, int nsizes,
                                                             struct validate_cases *out,
                                                             struct hitop_diag *diag);
void hitop_validate_cases_clear(struct validate_cases *cases);

#endif /* CASES_H */
