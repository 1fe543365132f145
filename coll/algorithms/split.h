/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPLIT_H
#define SPLIT_H

/* split.h - blocks between the root and all others, in rounds of pieces of limited length. */

#include "coll/algorithms/segments.h"

/* The parameter of split algorithms. */
enum { SPLIT_PIECE, SPLIT_NPARAMS };
#define SPLIT_PARAM                                                                                \
    {                                                                                              \
        "piece", "bytes of a block per round; 0: whole blocks in one round", 0, 0, 1e12, "B"       \
    }

/* How the blocks are cut: segments of the longest one. HITOP_ERR_INVALID: there would be too many. */
enum hitop_status hitop_split_init(struct segments *rounds, const char *owner,
                                   const struct hitop_coll_args *args, double piece,
                                   struct hitop_diag *diag);

/* Piece k of a rank's block in `all`, which holds all blocks; none of a block that ends before. */
struct hitop_span hitop_split_piece(const struct segments *rounds,
                                    const struct hitop_coll_args *args, struct hitop_span all,
                                    int rank, size_t k);

#endif /* SPLIT_H */
