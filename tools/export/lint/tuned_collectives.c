/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_collectives.c - the collectives of rule files of coll/tuned. */
#include <config.h>

#include "tools/export/lint/tuned_collectives.h"

#include <stddef.h>

/*
 * alltoallv is always looked up with 0 bytes. Gather and scatter multiply counts that are not
 * significant on all ranks, so that only one rule for all sizes is safe. Allgatherv takes the mean
 * block. The sizes of scan and exscan ignore the count.
 */
const struct tuned_collective *tuned_collectives(void)
{
    static const struct tuned_collective all[] = {
        {0, "allgather", HITOP_ALLGATHER, 7, 8, TUNED_TOTAL},
        {1, "allgatherv", HITOP_ALLGATHERV, 6, 6, TUNED_BYTES},
        {2, "allreduce", HITOP_ALLREDUCE, 6, 7, TUNED_BYTES},
        {3, "alltoall", HITOP_ALLTOALL, 5, 5, TUNED_TOTAL},
        {4, "alltoallv", HITOP_ALLTOALLV, 2, 2, TUNED_NONE},
        {5, "alltoallw", -1, 0, 0, TUNED_NONE},
        {6, "barrier", HITOP_BARRIER, 6, 6, TUNED_NONE},
        {7, "bcast", HITOP_BCAST, 9, 9, TUNED_BYTES},
        {8, "exscan", HITOP_EXSCAN, 2, 2, TUNED_NONE},
        {9, "gather", HITOP_GATHER, 3, 3, TUNED_NONE},
        {10, "gatherv", HITOP_GATHERV, 0, 0, TUNED_NONE},
        {11, "reduce", HITOP_REDUCE, 7, 8, TUNED_BYTES},
        {12, "reduce_scatter", HITOP_REDUCE_SCATTER, 4, 4, TUNED_TOTAL},
        {13, "reduce_scatter_block", HITOP_REDUCE_SCATTER_BLOCK, 4, 4, TUNED_TOTAL},
        {14, "scan", HITOP_SCAN, 2, 2, TUNED_NONE},
        {15, "scatter", HITOP_SCATTER, 3, 3, TUNED_NONE},
        {16, "scatterv", HITOP_SCATTERV, 0, 0, TUNED_NONE},
        {17, "neighbor_allgather", -1, 0, 0, TUNED_NONE},
        {18, "neighbor_allgatherv", -1, 0, 0, TUNED_NONE},
        {19, "neighbor_alltoall", -1, 0, 0, TUNED_NONE},
        {20, "neighbor_alltoallv", -1, 0, 0, TUNED_NONE},
        {21, "neighbor_alltoallw", -1, 0, 0, TUNED_NONE},
        {.name = NULL},
    };

    return all;
}

const struct tuned_collective *tuned_of(const struct hitop_operation *operation)
{
    for (const struct tuned_collective *t = tuned_collectives(); t->name; t++) {
        if (t->operation == (int)(operation - hitop_operations())) {
            return t;
        }
    }
    return NULL;
}
