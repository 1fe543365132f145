/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_levels.c - the levels of a hierarchy in a list. */
#include <config.h>

#include "tools/predict/predict_levels.h"

#include <string.h>

int predict_level_of(struct predict_levels *levels, const char *name)
{
    int i = 0;

    while (i < levels->count && strcmp(levels->name[i], name) != 0) {
        i++;
    }
    if (i == levels->count && i < PREDICT_MAX_LEVELS) {
        levels->name[levels->count++] = name;
    }
    return i < PREDICT_MAX_LEVELS ? i : PREDICT_MAX_LEVELS - 1;
}

/* Inner nodes are numbered from the lowest upwards, so going down finds the outer levels first. */
struct predict_levels predict_levels(const struct hitop_hierarchy *h)
{
    struct predict_levels levels = {.count = 0};

    for (int node = hitop_hierarchy_nnodes(h) - 1; node >= hitop_hierarchy_nranks(h); node--) {
        int children;
        (void)hitop_hierarchy_children(h, node, &children);
        if (children > 1) { /* nothing meets in the others */
            (void)predict_level_of(&levels, hitop_hierarchy_level(h, node));
        }
    }
    return levels;
}
