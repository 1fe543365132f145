/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_PATH_H
#define JOB_PATH_H

/*
 * job_path.h - the files that variables of the environment name.
 *
 * A relative name is meant from where the process began. Many programs go to another folder before their first collective,
 * which is when files are read, or before their last one, after which statistics are written. Pure: no MPI.
 */

/* The file that a variable names, in memory that the caller frees; NULL where it names none, or memory ran out. */
char *job_path(const char *variable);

#endif /* JOB_PATH_H */
