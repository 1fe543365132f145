/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PARTS_H
#define PARTS_H

/* parts.h - a buffer divided into consecutive parts, one for each member of a team (team.h). */

#include "hitop/sys/coll.h"

struct parts {
    const size_t *starts; /* where each piece begins; NULL: lengths differ by at most one element */
    size_t bytes, unit;   /* total and element size; used where starts is NULL */
    int pieces;
    int pairs; /* the first `pairs` parts consist of two pieces, the others of one */
};

/* A message of args->bytes in `count` parts of whole elements. */
static inline struct parts parts_of_message(const struct hitop_coll_args *args, int count)
{
    return (struct parts){.bytes = args->bytes, .unit = hitop_unit(args), .pieces = count};
}

/* The blocks of all ranks; each of the first `pairs` parts joins two blocks. */
static inline struct parts parts_of_blocks(const struct hitop_coll_args *args, int pairs)
{
    return (struct parts){.starts = args->starts,
                          .bytes = (size_t)args->size * args->bytes,
                          .unit = args->bytes > 0 ? args->bytes : 1,
                          .pieces = args->size,
                          .pairs = pairs};
}

/* Where part i begins; for the number of parts: where the last one ends. */
static inline size_t parts_start(const struct parts *parts, int i)
{
    const int piece = i < parts->pairs ? 2 * i : i + parts->pairs;

    return parts->starts ? parts->starts[piece]
                         : hitop_part_start(parts->bytes, parts->unit, parts->pieces, piece);
}

/* Bytes of the longest part. */
static inline size_t parts_longest(const struct parts *parts)
{
    size_t longest = 0;

    for (int i = 0; i < parts->pieces - parts->pairs; i++) {
        const size_t bytes = parts_start(parts, i + 1) - parts_start(parts, i);
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

/* Parts first .. end - 1 of `all`, which holds all parts. */
static inline struct hitop_span parts_span(const struct parts *parts, struct hitop_span all,
                                           int first, int end)
{
    const size_t start = parts_start(parts, first);

    return (struct hitop_span){all.buffer, all.offset + start, parts_start(parts, end) - start};
}

#endif /* PARTS_H */
