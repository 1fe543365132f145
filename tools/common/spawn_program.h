/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPAWN_PROGRAM_H
#define SPAWN_PROGRAM_H

/* spawn_program.h - another program, from one file into another. */

#include "hitop/status.h"

#include <stdio.h>

/*
 * Run a program with arguments (argument[0] is its name, looked up in PATH; NULL ends them),
 * reading from and writing to files, from their beginning. Its messages go to standard error.
 *
 * HITOP_ERR_NOTFOUND: there is no such program; HITOP_ERR_IO: it cannot be run, or failed.
 */
HITOP_MUST_CHECK enum hitop_status spawn_program(char *const argument[], FILE *from, FILE *into,
                                                 struct hitop_diag *diag);

#endif /* SPAWN_PROGRAM_H */
