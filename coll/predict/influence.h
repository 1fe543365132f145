/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFLUENCE_H
#define INFLUENCE_H

/* influence.h - how much the uncertainty of links changes the predicted times of collectives. */

#include "hitop/model.h"

/* The influence of the unsettled classes: those that did not reach the wanted precision. */
struct measure_influence {
    int nunsettled;
    double all;            /* largest relative change of a time, all these at their upper ends */
    const char *operation; /* the operation with that change; NULL: there is none */
    size_t bytes;
    double *of; /* largest change for each class of the model alone, owned; 0 for settled classes */
};

/* Call hitop_measure_influence_clear() also after a failure. */
HITOP_MUST_CHECK enum hitop_status hitop_measure_influence_find(const struct hitop_model *model,
                                                                struct measure_influence *out,
                                                                struct hitop_diag *diag);
void hitop_measure_influence_clear(struct measure_influence *influence);

#endif /* INFLUENCE_H */
