/* SPDX-License-Identifier: BSD-3-Clause */
/* figures.c - latency and bandwidth from the prices of messages. */
#include <config.h>

#include "models/model/figures.h"

#include "models/model/price_error.h"

#include <math.h>

void hitop_info_class_pair(const struct hitop_model *model, const struct hitop_class *c,
                           int pair[2])
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

double hitop_info_latency(const struct hitop_model *model, int i, int j)
{
    return hitop_model_p2p(model, i, j, 0);
}

double hitop_info_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const size_t half = bytes / 2;
    const double seconds = hitop_model_p2p(model, i, j, bytes) - hitop_model_p2p(model, i, j, half);

    return seconds > 0 ? (double)(bytes - half) / seconds : INFINITY;
}

static double between_times(const struct hitop_class *c, size_t bytes)
{
    double before = NAN, at = 0;

    for (int i = 0; c && i < c->ntimes; i++) {
        const struct hitop_time *t = &c->times[i];
        const double half = t->seconds > 0 ? (t->hi - t->lo) / (2 * t->seconds) : 0;
        const double here = log1p((double)t->bytes);
        if (t->bytes >= bytes) {
            const double share = here > at ? (log1p((double)bytes) - at) / (here - at) : 1;
            return isnan(before) ? half : before + share * (half - before);
        }
        before = half;
        at = here;
    }
    return before;
}

double hitop_info_uncertainty(const struct hitop_model *model, int i, int j, size_t bytes)
{
    static const double width = 1.96; /* standard errors in half an interval of 95 % */
    const double price = hitop_model_p2p(model, i, j, bytes);
    const double error = hitop_price_error(model, i, j, bytes);

    return isfinite(error) && price > 0 ? width * error / price
                                        : between_times(hitop_model_class_of(model, i, j), bytes);
}
