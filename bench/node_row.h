/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NODE_ROW_H
#define NODE_ROW_H

/* node_row.h - what bench/node_tune tries, and the row of coll/node/thresholds.c that follows. */

#include <stddef.h>

enum { NODE_ROW_SMALLEST = 4096, NSIZES = 12, NPIECES = 5 };
enum { RING, PULL, NWAYS };

/* Bytes of a piece, by way. */
extern const size_t node_row_pieces[NWAYS][NPIECES];

static inline size_t node_row_size(int i)
{
    return (size_t)NODE_ROW_SMALLEST << i;
}

/* Print the times in us, and the row whose few steps lose least over all sizes. */
void node_row_print(int nprocs, int alone, double measured[NSIZES][NWAYS][NPIECES]);

#endif /* NODE_ROW_H */
