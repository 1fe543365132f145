/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLOCKS_H
#define BLOCKS_H

/* blocks.h - where the blocks that a rank exchanges with each other one lie. */

#include "hitop/sys/coll.h"

/* What this rank brings for a peer. */
static inline struct hitop_span blocks_out(const struct hitop_coll_args *args, int peer)
{
    return hitop_span_send(hitop_block_start(args, peer), hitop_block_bytes(args, peer, 1));
}

/* What it takes away from a peer. */
static inline struct hitop_span blocks_in(const struct hitop_coll_args *args, int peer)
{
    const size_t *starts = args->recv_starts ? args->recv_starts : args->starts;

    return starts ? hitop_span_recv(starts[peer], starts[peer + 1] - starts[peer])
                  : hitop_span_recv((size_t)peer * args->bytes, args->bytes);
}

#endif /* BLOCKS_H */
