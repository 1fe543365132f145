/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LISTS_H
#define LISTS_H

/* lists.h - lists on a bench's command line, e.g. "1,64KiB" or "rot,sync". */

#include "hitop/status.h"

#include <stddef.h>

enum { LISTS_MAX = 64 };

/* From 1 B to 2 GiB. */
enum hitop_status lists_sizes(const char *list, size_t sizes[LISTS_MAX], int *n,
                              struct hitop_diag *diag);

/* From 0 s. */
enum hitop_status lists_seconds(const char *list, double seconds[LISTS_MAX], int *n,
                                struct hitop_diag *diag);

/*
 * Set what the list names; each must be one of name_at(), which ends with NULL and has "" for what
 * cannot be named.
 */
enum hitop_status lists_names(const char *list, int *set, const char *(*name_at)(size_t),
                              struct hitop_diag *diag);

#endif /* LISTS_H */
