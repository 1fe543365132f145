/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_NAMES_H
#define CHECK_NAMES_H

/* check_names.h - lists of names, e.g. "bcast,scatter". */

#include <stddef.h>

/* Find the next name of *list, and move *list behind it. Returns its length; 0: no more names. */
size_t check_next_name(const char **list, const char **name);

/* 1 when `name` is in the list, or the list is NULL. */
int check_is_listed(const char *list, const char *name);

/*
 * Return the first word of a list that name_at() does not have, and its length; the whole list if
 * it has no words; NULL: all words are names. name_at() returns NULL after the last name.
 */
const char *check_unknown_name(const char *list, const char *(*name_at)(size_t), size_t *length);

#endif /* CHECK_NAMES_H */
