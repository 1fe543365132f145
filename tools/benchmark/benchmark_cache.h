/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_CACHE_H
#define BENCHMARK_CACHE_H

/* benchmark_cache.h - what caches know of a message before a call. */

#include "hitop/status.h"

enum benchmark_cache {
    CACHE_SAME, /* all of it, wherever it has been: it is never written again */
    CACHE_HOT, /* its sender all of it: it has just written it, into the buffer that was used before */
    CACHE_STREAM, /* nothing: calls walk through more than the last-level cache */
    CACHE_COLD    /* nothing, nor of anything else: as much is written before each call, besides */
};
enum { BENCHMARK_CACHES = CACHE_COLD + 1 };

extern const char *const benchmark_cache_names[BENCHMARK_CACHES];

/* HITOP_ERR_NOTFOUND. */
enum hitop_status benchmark_cache_find(const char *name, enum benchmark_cache *out,
                                       struct hitop_diag *diag);

/* Do all calls have one buffer? */
static inline int benchmark_cache_stays(enum benchmark_cache cache)
{
    return cache == CACHE_SAME || cache == CACHE_HOT;
}

#endif /* BENCHMARK_CACHE_H */
