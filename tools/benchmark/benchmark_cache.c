/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_cache.c - see benchmark_cache.h. */
#include <config.h>

#include "tools/benchmark/benchmark_kinds.h"

#include <string.h>

const char *const benchmark_cache_names[BENCHMARK_CACHES] = {
    [CACHE_SAME] = "same", [CACHE_HOT] = "hot", [CACHE_STREAM] = "stream", [CACHE_COLD] = "cold"};

enum hitop_status benchmark_cache_find(const char *name, enum benchmark_cache *out,
                                       struct hitop_diag *diag)
{
    for (int i = 0; i < BENCHMARK_CACHES; i++) {
        if (strcmp(name, benchmark_cache_names[i]) == 0) {
            *out = (enum benchmark_cache)i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is none of same, hot, stream and cold",
                      name);
}
