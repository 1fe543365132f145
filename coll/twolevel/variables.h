/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_VARIABLES_H
#define HITOP_VARIABLES_H

/* variables.h - names in the environment that look like ours and are not. Pure: no MPI. */

#include <stddef.h>

/*
 * The first of `environment`, "NAME=value" up to a NULL, from *next on, whose name begins with HITOP_ and is none that this
 * library reads; *next is set behind it. Its name is written to `name` of `length` bytes, shortened where it is longer.
 * Returns the name that may have been meant, "" where none is like it, NULL at the end.
 */
const char *hitop_variables_stray(char *const *environment, size_t *next, char *name,
                                  size_t length);

#endif /* HITOP_VARIABLES_H */
