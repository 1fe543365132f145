/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_JOB_THRESHOLDS_H
#define HITOP_JOB_THRESHOLDS_H

/* job_thresholds.h - from which sizes on this machine goes another way: HITOP_THRESHOLDS, or what is built in. */

#include "coll/node/thresholds.h"

/*
 * A wrong file is told on standard error, once, and what is built in holds. Returns 1 where a trial (trial.h) may say that what
 * is in *with_kernel holds instead.
 */
int hitop_job_thresholds(int nranks, int alone, struct hitop_thresholds *row,
                         struct hitop_thresholds *with_kernel);

/* All of them in one line, for users; to be freed, or NULL. */
char *hitop_job_thresholds_text(const struct hitop_thresholds *row);

#endif /* HITOP_JOB_THRESHOLDS_H */
