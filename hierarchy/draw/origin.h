/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORIGIN_H
#define ORIGIN_H

/* origin.h - the source of a group and its confidence. */

#include "hitop/hierarchy.h"

#include <stdio.h>

/* 1 if the confidence of a group is below 1. */
int hitop_origin_is_guess(const struct hitop_hierarchy *h, int group);

/* Write " (names, confidence 0.6)"; nothing for a group without a source. */
void hitop_origin_put(FILE *to, const struct hitop_hierarchy *h, int group);

#endif /* ORIGIN_H */
