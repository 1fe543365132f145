/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ADOPT_H
#define ADOPT_H

/* adopt.h - samples of an earlier run go to those who lead their links. */

#include "models/measure/link_jobs.h"

/* All processes call it: known, at rank 0 if anywhere, becomes a part of the jobs. Links of which
 * all jobs have ended are reviewed, as after a visit. of_link holds nlinks sets of jobs, empty ones
 * for links that others lead. */
enum hitop_status hitop_adopt_known(const struct hitop_transport *t,
                                    const struct hitop_batches *known, struct link_jobs *of_link,
                                    int nlinks, struct hitop_diag *diag);

#endif /* ADOPT_H */
