/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_FILES_H
#define JOB_FILES_H

/*
 * job_files.h - the files that variables of the environment name.
 *
 * A relative name is meant from where the process began. Many programs go to another folder before
 * their first collective, which is when files are read, or before their last one, after which
 * statistics are written. Pure: no MPI.
 */

#include "hitop/model.h"
#include "hitop/rules.h"
#include "hitop/status.h"

/*
 * The file that a variable names, in memory that the caller frees; NULL where it names none, or
 * memory ran out.
 */
char *hitop_job_path(const char *variable);

/*
 * Refuse an existing file that is not a regular one: to open a FIFO or to read a device can take
 * for ever, and standard input ("-") belongs to the program. Files that do not exist are left to
 * the function that reads them.
 */
HITOP_MUST_CHECK enum hitop_status hitop_job_path_check(const char *path, struct hitop_diag *diag);

/* The rules that the environment names, HITOP_RULES. Pure: no MPI. */

/*
 * The rules of the file; NULL where none is named or it is wrong, which is told on stderr. A file
 * is read once, however many communicators ask. Lent until hitop_job_rules_release().
 */
const struct hitop_rules *hitop_job_rules(void);

/* MPI ends: nothing is remembered any more. */
void hitop_job_rules_release(void);

/* The model that the environment names, for the hosts of the running job. Pure: no MPI. */

/*
 * The links between the given hosts, with host k as "rank" k: from the file that HITOP_MODEL names,
 * else from the names, with ranks that share processors if `crowded`. What is wrong with the file
 * is told on stderr, once. *measured: 1 when the file was of use.
 */
enum hitop_status hitop_job_model(const char *const *hosts, int nhosts, int crowded,
                                  struct hitop_model **out, int *measured, struct hitop_diag *diag);

/* Whether somebody of this job has complained about HITOP_MODEL, and that somebody has. */
int hitop_job_model_is_reported(void);
void hitop_job_model_report(void);

#endif /* JOB_FILES_H */
