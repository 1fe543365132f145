/* SPDX-License-Identifier: BSD-3-Clause */
/* style.c - see style.h. */
#include <config.h>

#include "coll/twolevel/style.h"

#include <limits.h>

#define ROW(id, name, leads, goes) {HITOP_LEADERS_##leads, HITOP_BY_##goes},
static const struct {
    enum hitop_style_leaders leaders;
    enum hitop_style_way way;
} rows[] = {HITOP_STYLES(ROW)};

enum hitop_style_leaders hitop_style_leaders(enum hitop_style style)
{
    return rows[style].leaders;
}

const struct hitop_exchange *hitop_style_exchange(enum hitop_style_way way)
{
    static const struct hitop_exchange *const exchanges[] = {
        [HITOP_BY_DOUBLING] = &hitop_exchange_doubling, [HITOP_BY_RING] = &hitop_exchange_ring};

    return exchanges[way];
}

enum hitop_style_way hitop_style_way(enum hitop_style style, int nnodes, size_t bytes)
{
    const enum hitop_style_way way = rows[style].way;

    if (!hitop_style_exchange(way)) {
        return way;
    }
    if (bytes < HITOP_SCATTER_FROM || bytes > INT_MAX || nnodes < 2) {
        return HITOP_BY_BINOMIAL;
    }
    return way == HITOP_BY_DOUBLING && hitop_exchange_doubling.nsteps(nnodes) == 0 ? HITOP_BY_RING
                                                                                   : way;
}
