/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPAWN_PROGRAM_H
#define SPAWN_PROGRAM_H

/* spawn_program.h - run another program with one file as its input and another as its output. */

#include "hitop/status.h"

#include <stdio.h>

/*
 * Run a program with arguments; argument[0] is its name, looked up in PATH, and NULL ends them. It
 * reads `from` from the beginning and writes to `into`. Its messages go to standard error.
 *
 * HITOP_ERR_NOTFOUND: there is no such program; HITOP_ERR_IO: it cannot be run, or failed.
 */
HITOP_MUST_CHECK enum hitop_status spawn_program(char *const argument[], FILE *from, FILE *into,
                                                 struct hitop_diag *diag);

#endif /* SPAWN_PROGRAM_H */
