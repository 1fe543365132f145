/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLACE_H
#define PLACE_H

/* place.h - the ranks of a job on the hosts of a model. */

#include "hitop/hierarchy.h"
#include "hitop/model.h"

/* A model carried over to the ranks of a job. */
struct validate_place {
    struct hitop_model *origin; /* as it was read, owned */
    struct hitop_model
        *moved; /* for the ranks of the job, owned; NULL: they are those of the model */
    int *rank;  /* of each rank of the job, the one of the model that stands for it; owned */
    int nranks; /* of the job */
};

/*
 * Find the ranks of a job on the hosts of a model, which is taken over also on failure.
 *
 * hosts  of each rank; NULL: rank k is that of the model
 *
 * HITOP_ERR_NOTFOUND: they are not there; the message says which, and what the model knows.
 */
HITOP_MUST_CHECK enum hitop_status hitop_validate_place(struct hitop_model *model,
                                                        const char *const *hosts, int nranks,
                                                        struct validate_place *out,
                                                        struct hitop_diag *diag);
void hitop_validate_place_clear(struct validate_place *place);

/* The model of the ranks of the job. */
const struct hitop_model *hitop_validate_place_model(const struct validate_place *place);

#endif /* PLACE_H */
