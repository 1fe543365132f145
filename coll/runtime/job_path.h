/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_PATH_H
#define JOB_PATH_H

/*
 * job_path.h - the files that variables of the environment name.
 *
 * A relative name is meant from where the process began. Many programs go to another folder before their first collective,
 * which is when files are read, or before their last one, after which statistics are written. Pure: no MPI.
 */

#include "hitop/status.h"

/* The file that a variable names, in memory that the caller frees; NULL where it names none, or memory ran out. */
char *job_path(const char *variable);

/*
 * Refuse an existing file that is not a regular one: to open a FIFO or to read a device can take for ever, and standard input
 * ("-") belongs to the program. Files that do not exist are left to the function that reads them.
 */
HITOP_MUST_CHECK enum hitop_status job_path_check(const char *path, struct hitop_diag *diag);

#endif /* JOB_PATH_H */
