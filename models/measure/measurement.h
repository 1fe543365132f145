/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

/* measurement.h - the points of all links, brought to rank 0. */

#include "models/measure/link_jobs.h"

/* All processes call it: those jobs of this process's links that have samples become points and
 * curves at rank 0. of_link holds nlinks sets of jobs, empty ones for links that others lead. */
enum hitop_status hitop_measurement_collect(struct hitop_measurement *out,
                                            const struct hitop_transport *t,
                                            const struct link_jobs *of_link, int nlinks,
                                            struct hitop_diag *diag);

#endif /* MEASUREMENT_H */
