/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SEGMENTS_H
#define SEGMENTS_H

/* segments.h - a message cut into segments of one length, for pipelines. */

#include "hitop/sys/coll.h"

/* The parameter of pipelined algorithms. */
enum { SEGMENTS_BYTES, SEGMENTS_NPARAMS };
#define SEGMENTS_PARAM                                                                             \
    {                                                                                              \
        "segment", "bytes per segment; 0 sends the message whole", 0, 0, 1e12, "B"                 \
    }

struct segments {
    size_t bytes;   /* of the message */
    size_t longest; /* all but the last are so long: whole elements */
    size_t count;   /* none of an empty message */
};

/* Cut `bytes` into segments of about `wanted` bytes, rounded up to whole elements of `unit`; 0: into one. HITOP_ERR_UNSUPPORTED:
 * there would be too many to plan. */
enum hitop_status hitop_segments_init(struct segments *segments, const char *owner, size_t bytes,
                                      size_t unit, double wanted, struct hitop_diag *diag);

static inline size_t segments_start(const struct segments *segments, size_t k)
{
    return k * segments->longest;
}

static inline size_t segments_bytes(const struct segments *segments, size_t k)
{
    const size_t left = segments->bytes - segments_start(segments, k);

    return left < segments->longest ? left : segments->longest;
}

/* Segment k of a stretch that may be shorter than the message. */
static inline struct hitop_span segments_cut(const struct segments *segments, struct hitop_span all,
                                             size_t k)
{
    const size_t start = segments_start(segments, k);
    const size_t skipped = start < all.bytes ? start : all.bytes, left = all.bytes - skipped;

    return (struct hitop_span){all.buffer, all.offset + skipped,
                               left < segments->longest ? left : segments->longest};
}

#endif /* SEGMENTS_H */
