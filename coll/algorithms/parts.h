/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PARTS_H
#define PARTS_H

/* parts.h - bytes in a row, one part for each member of a team (team.h). */

#include "hitop/sys/coll.h"

struct parts {
    const size_t *starts; /* where each piece begins; NULL: pieces are alike but for one element */
    size_t bytes, unit;   /* of all, and of an element, where starts is NULL */
    int pieces;
    int pairs; /* the first parts consist of two pieces, the others of one */
};

/* A message of args->bytes in so many parts of whole elements. */
static inline struct parts parts_of_message(const struct hitop_coll_args *args, int count)
{
    return (struct parts){.bytes = args->bytes, .unit = hitop_unit(args), .pieces = count};
}

/* The blocks of all ranks, of which the first 2 `pairs` are joined by two. */
static inline struct parts parts_of_blocks(const struct hitop_coll_args *args, int pairs)
{
    return (struct parts){.starts = args->starts,
                          .bytes = (size_t)args->size * args->bytes,
                          .unit = args->bytes > 0 ? args->bytes : 1,
                          .pieces = args->size,
                          .pairs = pairs};
}

/* Where part i begins, or behind the last one all of them end. */
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

/* Parts first .. end - 1 in `all`, which holds the whole row. */
static inline struct hitop_span parts_span(const struct parts *parts, struct hitop_span all,
                                           int first, int end)
{
    const size_t start = parts_start(parts, first);

    return (struct hitop_span){all.buffer, all.offset + start, parts_start(parts, end) - start};
}

#endif /* PARTS_H */
