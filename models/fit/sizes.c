/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - message sizes that show both latency and bandwidth. */
#include <config.h>

#include "hitop/measure.h"

#include <stdint.h>
#include <stdlib.h>

enum { MAX_SIZES = 1000 };

/*
 * What is due after bytes: steps of about 4, but of 2 where latency gives way to bandwidth, protocols
 * change and the bandwidth of long messages shows.
 */
static size_t next_geometric(size_t bytes)
{
    static const size_t steps[] = {1,     16,    64,    256,    1024,   4096,
                                   16384, 32768, 65536, 131072, 262144, 524288};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (bytes < steps[i]) {
            return steps[i];
        }
    }
    for (size_t power = (size_t)1 << 20; power <= SIZE_MAX / 4; power *= 4) {
        if (bytes < power) {
            return power;
        }
    }
    return SIZE_MAX;
}

enum hitop_status hitop_sizes_choose(size_t min, size_t max, size_t stride, size_t **out,
                                     int *nsizes, struct hitop_diag *diag)
{
    size_t *sizes;
    size_t bytes = min;
    int n = 0;

    *out = NULL;
    *nsizes = 0;
    if (min >= max) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "the smallest message (%zu bytes) must be smaller than the largest (%zu)",
                          min, max);
    }
    if (stride > 0 && (max - min) / stride >= MAX_SIZES - 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "a stride of %zu bytes from %zu to %zu gives more than %d sizes", stride,
                          min, max, MAX_SIZES);
    }
    sizes = calloc(MAX_SIZES, sizeof(*sizes));
    if (!sizes) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sizes: out of memory");
    }
    while (bytes < max) {
        sizes[n++] = bytes;
        if (stride > 0) {
            bytes = max - bytes > stride ? bytes + stride : max;
        } else {
            bytes = next_geometric(bytes);
        }
    }
    sizes[n++] = max;
    *out = sizes;
    *nsizes = n;
    return HITOP_OK;
}
