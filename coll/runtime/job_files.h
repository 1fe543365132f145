/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_FILES_H
#define JOB_FILES_H

/*
 * job_files.h - the files that environment variables name.
 *
 * A relative name refers to the folder in which the process began. Many programs change the folder
 * before their first collective, when files are read, or before their last one, after which
 * statistics are written. Pure: no MPI.
 */

#include "hitop/model.h"
#include "hitop/rules.h"
#include "hitop/status.h"

/*
 * The path of the file that a variable names, in memory that the caller frees; NULL where it names
 * none, or when out of memory.
 */
char *hitop_job_path(const char *variable);

/*
 * Refuse an existing file that is not a regular one: to open a FIFO or to read a device can take
 * for ever, and standard input ("-") belongs to the program. The function that reads the file
 * reports a missing one.
 */
HITOP_MUST_CHECK enum hitop_status hitop_job_path_check(const char *path, struct hitop_diag *diag);

/* Rules from the file that HITOP_RULES names. */

/*
 * The rules of the file; NULL where none is named, or after an error, which is reported on stderr.
 * Each file is read once for all communicators. Borrowed until
 * hitop_job_rules_release().
 */
const struct hitop_rules *hitop_job_rules(void);

/* Release all rules at the end of MPI. */
void hitop_job_rules_release(void);

/* The model from the file that HITOP_MODEL names, for the hosts of the running job. */

/*
 * The links among the given hosts, with host k as "rank" k: from the file that HITOP_MODEL names,
 * else from the host names, with ranks that share processors if `is_oversubscribed`. An error in
 * the file is reported on stderr once. *measured: 1 when the file was used.
 */
enum hitop_status hitop_job_model(const char *const *hosts, int nhosts, int is_oversubscribed,
                                  struct hitop_model **out, int *measured, struct hitop_diag *diag);

/* 1: a rank of this job has reported an error of HITOP_MODEL. */
extern _Atomic int hitop_job_model_is_reported;

#endif /* JOB_FILES_H */
