/* SPDX-License-Identifier: BSD-3-Clause */
/* split.c - pieces of blocks. */
#include <config.h>

#include "coll/algorithms/parts.h"
#include "coll/algorithms/split.h"

enum hitop_status hitop_split_init(struct segments *rounds, const char *owner,
                                   const struct hitop_coll_args *args, double piece,
                                   struct hitop_diag *diag)
{
    const struct parts blocks = parts_of_blocks(args, 0);

    return hitop_segments_init(rounds, owner, parts_longest(&blocks), hitop_unit(args), piece,
                               diag);
}

struct hitop_span hitop_split_piece(const struct segments *rounds,
                                    const struct hitop_coll_args *args, struct hitop_span all,
                                    int rank, size_t k)
{
    const struct parts blocks = parts_of_blocks(args, 0);

    return segments_cut(rounds, parts_span(&blocks, all, rank, rank + 1), k);
}
