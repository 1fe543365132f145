/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKE_H
#define TAKE_H

/* take.h - parse values of options that several tools have. */

#include "hitop/text.h"

/* A number from 0 to INT_MAX. */
enum hitop_status take_seed(const char *text, unsigned long long *seed, struct hitop_diag *diag);

/* A time that is more than 0, with a unit or in seconds. */
enum hitop_status take_time(const char *text, double *seconds, struct hitop_diag *diag);

/* The index of a word in a list that ends with NULL. */
enum hitop_status take_word(const char *text, const char *const *words, int *index,
                            struct hitop_diag *diag);

/* Call one() for each word between commas until it refuses one; it may change the word. */
enum hitop_status take_list(void *data, const char *list,
                            enum hitop_status (*one)(void *data, char *word,
                                                     struct hitop_diag *diag),
                            struct hitop_diag *diag);

#endif /* TAKE_H */
