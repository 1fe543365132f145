/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_JOB_MODEL_H
#define HITOP_JOB_MODEL_H

/* job_model.h - the model that the environment names, for the hosts of the running job. Pure: no MPI. */

#include "hitop/model.h"

/*
 * The links between the given hosts, with host k as "rank" k: from the file that HITOP_MODEL names, else from
 * the names, with ranks that share processors if `crowded`. What is wrong with the file is told on stderr, once.
 * *measured: 1 when the file was of use.
 */
enum hitop_status hitop_job_model(const char *const *hosts, int nhosts, int crowded,
                                  struct hitop_model **out, int *measured, struct hitop_diag *diag);

/* Whether somebody of this job has complained about HITOP_MODEL, and that somebody has. */
int hitop_job_model_told(void);
void hitop_job_model_tell(void);

#endif /* HITOP_JOB_MODEL_H */
