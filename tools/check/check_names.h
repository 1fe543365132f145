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

/*
 * A copy of a list of algorithms, for free(), with the present names of those of CPM. Words that
 * name_at() has, and words that are no algorithms, stay as they are. NULL: out of memory.
 */
char *check_present_algorithms(const char *list, const char *(*name_at)(size_t));

#endif /* CHECK_NAMES_H */
