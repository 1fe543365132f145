/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFLUENCE_H
#define INFLUENCE_H

/* influence.h - how much the uncertainty of links changes the predicted times of collectives. */

#include "hitop/model.h"

/* Of the classes of links that did not reach the wanted precision. */
struct measure_influence {
    int nunsettled;
    double all; /* largest relative change of a predicted time, all at their upper ends */
    const char *operation; /* of that change; NULL: there is none */
    size_t bytes;
    double *of; /* the same of each class of the model alone, owned; 0 of those that are settled */
};

/* To be cleared also on failure. */
HITOP_MUST_CHECK enum hitop_status hitop_measure_influence_find(const struct hitop_model *model,
                                                                struct measure_influence *out,
                                                                struct hitop_diag *diag);
void hitop_measure_influence_clear(struct measure_influence *influence);

#endif /* INFLUENCE_H */
