/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLACE_H
#define PLACE_H

/* place.h - map the ranks of a job to the ranks of a model by their hosts. */

#include "hitop/hierarchy.h"
#include "hitop/model.h"

/* A model transferred to the ranks of a job. */
struct validate_place {
    struct hitop_model *origin; /* the model as read, owned */
    struct hitop_model *moved;  /* for the ranks of the job, owned; NULL: origin fits as it is */
    int *rank;                  /* rank of the model for each rank of the job; owned */
    int nranks;                 /* number of ranks of the job */
};

/*
 * Find the ranks of a job on the hosts of a model. The result owns the model, also after a
 * failure.
 *
 * hosts  host of each rank; NULL: rank k of the job is rank k of the model
 *
 * HITOP_ERR_NOTFOUND: a host or rank is not in the model; the message states which.
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_place(struct hitop_model *model,
                                                        const char *const *hosts, int nranks,
                                                        struct validate_place *out,
                                                        struct hitop_diag *diag);
void hitop_validate_place_clear(struct validate_place *place);

/* The model for the ranks of the job. */
const struct hitop_model *hitop_validate_place_model(const struct validate_place *place);

#endif /* PLACE_H */
