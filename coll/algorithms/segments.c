/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.c - the length of the segments of a pipeline. */
#include <config.h>

#include "coll/algorithms/segments.h"

/* A limit against mistakes: the plan needs memory for each segment. */
#define MAX_SEGMENTS ((size_t)1 << 20)

const struct hitop_param hitop_segment_param[] = {
    {"segment", "bytes per segment; 0 sends the message whole", 0, 0, 1e12, "B"}};

struct segments hitop_segments_make(const struct hitop_coll_args *args, size_t bytes,
                                    struct hitop_sched *sched)
{
    const size_t unit = hitop_unit(args), wanted = (size_t)args->params[0];
    const size_t longest = wanted > 0 ? ((wanted - 1) / unit + 1) * unit : bytes;
    struct segments s = {.bytes = bytes, .longest = longest < bytes ? longest : bytes};

    s.count = bytes > 0 ? (bytes - 1) / s.longest + 1 : 0;
    if (s.count > MAX_SEGMENTS) {
        hitop_sched_fail(sched, HITOP_ERR_UNSUPPORTED);
        s.count = 0;
    }
    return s;
}
