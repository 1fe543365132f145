/* SPDX-License-Identifier: BSD-3-Clause */
/* info_price.c - latency and bandwidth from the prices of messages. */
#include <config.h>

#include "info_price.h"

#include <math.h>

void info_class_pair(const struct hitop_model *model, const struct hitop_class *c, int pair[2])
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int nmembers;
    const int *member = hitop_hierarchy_children(h, c->node, &nmembers);
    const int is_whole = c->between[0] == c->between[1];

    for (int k = 0; k < 2; k++) {
        pair[k] = c->pair[k] != HITOP_NO_RANK
                      ? c->pair[k]
                      : hitop_hierarchy_first_rank(h, is_whole ? member[k] : c->between[k]);
    }
}

double info_latency(const struct hitop_model *model, int i, int j)
{
    return hitop_model_p2p(model, i, j, 0);
}

double info_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const size_t half = bytes / 2;
    const double seconds = hitop_model_p2p(model, i, j, bytes) - hitop_model_p2p(model, i, j, half);

    return seconds > 0 ? (double)(bytes - half) / seconds : INFINITY;
}
