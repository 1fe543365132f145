/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_LEVELS_H
#define PREDICT_LEVELS_H

/* predict_levels.h - the levels on which messages cross a hierarchy. */

#include "hitop/hierarchy.h"

enum { PREDICT_MAX_LEVELS = 16 };

/* Names of the levels, the outermost first; those beyond PREDICT_MAX_LEVELS count as the last. */
struct predict_levels {
    const char *name[PREDICT_MAX_LEVELS];
    int count;
};

/* Levels in which two ranks can meet. */
struct predict_levels predict_levels(const struct hitop_hierarchy *h);

/* Index of a level, which is added if it is new. */
int predict_level_of(struct predict_levels *levels, const char *name);

#endif /* PREDICT_LEVELS_H */
