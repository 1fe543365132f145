/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.c - the length of the segments of a pipeline. */
#include <config.h>

#include "coll/algorithms/segments.h"

const struct hitop_param hitop_segment_param[] = {
    {"segment", "bytes per segment; 0 sends the message whole", 0, 0, 1e12, "B"}};

struct segments hitop_segments_make(const struct hitop_coll_args *args, size_t bytes,
                                    struct hitop_sched *sched)
{
    struct segments s = {.bytes = bytes, .longest = hitop_segment_bytes(args, bytes)};

    s.count = bytes > 0 ? (bytes - 1) / s.longest + 1 : 0;
    if (s.count > HITOP_COLL_SEGMENTS_MAX) {
        hitop_sched_fail(sched, HITOP_ERR_UNSUPPORTED);
        s.count = 0;
    }
    return s;
}
