/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCH_H
#define LAUNCH_H

/* launch.h - run a program for a limited time and keep what it writes. */

#include "hitop/status.h"

#include <stddef.h>

/*
 * Run a program, its arguments up to NULL, and return what it writes to standard output, for
 * free(). When it takes longer than `limit` seconds or this process gets a signal, all its
 * processes are ended.
 *
 * HITOP_ERR_IO: it cannot be run, failed, or was ended; the message is the rest of a sentence that
 * begins with the name of the program, and has the end of its standard error.
 */
HITOP_MUST_CHECK enum hitop_status launch_program(char *const argument[], double limit, char **text,
                                                  size_t *length, struct hitop_diag *diag);

#endif /* LAUNCH_H */
