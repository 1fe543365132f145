/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLOCKS_H
#define BLOCKS_H

/* blocks.h - the bytes of the block of each rank. */

#include "hitop/tree.h"

#include <stdint.h>

/* Bytes of the block of one rank. */
static inline size_t block_of(const struct hitop_tree_args *args, int rank)
{
    return args->counts ? args->counts[rank] : args->bytes;
}

/* a + b, or SIZE_MAX where the sum is larger. */
static inline size_t add_bytes(size_t a, size_t b)
{
    return b > SIZE_MAX - a ? SIZE_MAX : a + b;
}

#endif /* BLOCKS_H */
