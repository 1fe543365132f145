/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.c - how long the segments of a pipeline are. */
#include <config.h>

#include "coll/algorithms/segments.h"

/* More would be an accident: the plan takes memory for each. */
#define MAX_SEGMENTS ((size_t)1 << 20)

enum hitop_status hitop_segments_init(struct segments *segments, const char *owner, size_t bytes,
                                      size_t unit, double wanted, struct hitop_diag *diag)
{
    const size_t elements = wanted >= 1 ? ((size_t)wanted - 1) / unit + 1 : bytes / unit;

    *segments = (struct segments){.bytes = bytes, .longest = elements * unit};
    if (bytes == 0) {
        return HITOP_OK;
    }
    if (segments->longest > bytes) {
        segments->longest = bytes;
    }
    segments->count = (bytes - 1) / segments->longest + 1;
    if (segments->count > MAX_SEGMENTS) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "%s: segment=%.0f cuts %zu bytes into more than %zu segments", owner,
                          wanted, bytes, MAX_SEGMENTS);
    }
    return HITOP_OK;
}
