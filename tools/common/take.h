/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKE_H
#define TAKE_H

/* take.h - values of options that several tools have. */

#include "hitop/text.h"

/* 0 to INT_MAX. */
enum hitop_status take_seed(const char *text, unsigned long long *seed, struct hitop_diag *diag);

/* A time that is more than 0, with a unit or in seconds. */
enum hitop_status take_time(const char *text, double *seconds, struct hitop_diag *diag);

/* The index of a word in a list that ends with NULL. */
enum hitop_status take_word(const char *text, const char *const *words, int *index,
                            struct hitop_diag *diag);

/* Each word of a list with commas, until one is refused; one() may change its word. */
enum hitop_status take_list(void *data, const char *list,
                            enum hitop_status (*one)(void *data, char *word,
                                                     struct hitop_diag *diag),
                            struct hitop_diag *diag);

#endif /* TAKE_H */
