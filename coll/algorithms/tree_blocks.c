/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_blocks.c - lengths and places of the blocks of a subtree. */
#include <config.h>

#include "coll/algorithms/tree_blocks.h"

size_t hitop_tree_blocks_bytes(const struct hitop_coll_args *args, int first, int end)
{
    size_t bytes = 0;

    if (!args->starts) {
        return (size_t)(end - first) * args->bytes;
    }
    for (int place = first; place < end; place++) {
        bytes += hitop_block_bytes(args, hitop_tree_rank_at(args->tree, place), 1);
    }
    return bytes;
}

size_t hitop_tree_blocks_of(const struct hitop_coll_args *args, int rank)
{
    const int first = hitop_tree_first_place(args->tree, rank);

    return hitop_tree_blocks_bytes(args, first, first + hitop_tree_weight(args->tree, rank));
}

struct hitop_span hitop_tree_blocks_part(const struct hitop_coll_args *args, int child)
{
    const int own = hitop_tree_first_place(args->tree, args->rank);
    const int first = hitop_tree_first_place(args->tree, child);

    return hitop_span_work(hitop_tree_blocks_bytes(args, own, first),
                           hitop_tree_blocks_of(args, child));
}

int hitop_tree_blocks_are_run(const struct hitop_coll_args *args, int rank, struct hitop_span *span)
{
    const int first = hitop_tree_first_place(args->tree, rank);
    const int n = hitop_tree_weight(args->tree, rank);
    const int lowest = hitop_tree_rank_at(args->tree, first);

    for (int i = 1; i < n; i++) {
        if (hitop_tree_rank_at(args->tree, first + i) != lowest + i) {
            return 0;
        }
    }
    span->offset = hitop_block_start(args, lowest);
    span->bytes = hitop_block_bytes(args, lowest, n);
    return 1;
}
