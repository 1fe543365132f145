/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_NAMES_H
#define CHECK_NAMES_H

/* check_names.h - lists of names, e.g. "bcast,scatter". */

#include <stddef.h>

/* The next name of a list, which moves on; its length, 0 at the end. */
size_t check_next_name(const char **list, const char **name);

/* 1 when `name` is in the list, or the list is NULL. */
int check_is_listed(const char *list, const char *name);

/*
 * The first word of the list that is none of name_at(), which ends with NULL, and its length; all
 * of a list without a word; NULL: all are.
 */
const char *check_unknown_name(const char *list, const char *(*name_at)(size_t), size_t *length);

#endif /* CHECK_NAMES_H */
