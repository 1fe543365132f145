/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORIGIN_H
#define ORIGIN_H

/* summary.h - who says that a group is one, and how surely. */

#include "hitop/hierarchy.h"

#include <stdio.h>

/* 1 when someone who says so is not certain of a group. */
int hitop_origin_is_guess(const struct hitop_hierarchy *h, int group);

/* " (names, confidence 0.6)" where someone said so, else nothing. */
void hitop_origin_put(FILE *to, const struct hitop_hierarchy *h, int group);

#endif /* ORIGIN_H */
