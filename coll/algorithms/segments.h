/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SEGMENTS_H
#define SEGMENTS_H

/* segments.h - cut a message into segments of equal length, for pipelines. */

#include "hitop/sys/coll.h"

/* The only parameter of pipelined algorithms: bytes of a segment. */
extern const struct hitop_param hitop_segment_param[1];

struct segments {
    size_t bytes;   /* of the message */
    size_t longest; /* the length of all but the last: whole elements */
    size_t count;   /* 0 for an empty message */
};

/*
 * Cut `bytes` into segments of the length that params[0] gives, rounded up to whole elements; 0:
 * one segment. If there are too many to plan, `sched` fails with HITOP_ERR_UNSUPPORTED and the
 * count is 0.
 */
struct segments hitop_segments_make(const struct hitop_coll_args *args, size_t bytes,
                                    struct hitop_sched *sched);

/* Segment k of `all`, which may be shorter than the message; the result can be empty. */
static inline struct hitop_span segments_cut(const struct segments *segments, struct hitop_span all,
                                             size_t k)
{
    const size_t start = k * segments->longest;
    const size_t skipped = start < all.bytes ? start : all.bytes, left = all.bytes - skipped;

    return (struct hitop_span){all.buffer, all.offset + skipped,
                               left < segments->longest ? left : segments->longest};
}

/* Segment k of the message in a buffer. */
static inline struct hitop_span segments_of(const struct segments *segments,
                                            enum hitop_buffer buffer, size_t k)
{
    return segments_cut(segments, (struct hitop_span){buffer, 0, segments->bytes}, k);
}

#endif /* SEGMENTS_H */
