/* SPDX-License-Identifier: BSD-3-Clause */
/* thresholds.c - the table of thresholds.h. */
#include <config.h>

#include "coll/node/thresholds.h"

#include <limits.h>

#define KIB(n) ((size_t)(n)*1024)
#define ANY SIZE_MAX

/* More than four ranks that share processors: the more there are, the shorter blocks all copy out of the memory of all. */
#define SHARED_BY(most, alltoall)                                                                  \
    {                                                                                              \
        .nranks = (most), .alone = 0, .barrier_lines_to = 0,                                       \
        .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}}, .pull_from = ANY,                       \
        .pull_row_from = KIB(1),                                                                   \
        .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},                     \
        .mirror_from = KIB(4), .patience = 8, .gather_step = KIB(32),                              \
        .gather_hand_from = KIB(128) + 1, .scatter_step = KIB(64), .scatter_hand_from = KIB(256),  \
        .leave_to = KIB(4096), .hand_chunk = {{ANY, KIB(1024)}}, .allgather_direct_from = ANY,     \
        .alltoall_direct_from = (alltoall), .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}},  \
        .allreduce_part = {{ANY, KIB(128)}}, .share_from = KIB(4) + 1, .reduce_direct_from = ANY,  \
        .allreduce_direct_from = ANY                                                               \
    }

/* Two ranks, each with a processor: what they leave to the kernel. */
#define PAIR_BY(pull, gather, scatter, allreduce)                                                  \
    {                                                                                              \
        .nranks = 2, .alone = 1, .barrier_lines_to = 8,                                            \
        .fragment = {{KIB(4), KIB(2)}, {KIB(16), KIB(8)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},    \
        .pull_from = (pull), .pull_row_from = KIB(2048),                                           \
        .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},                     \
        .mirror_from = KIB(4), .patience = 1, .gather_step = KIB(32),                              \
        .gather_hand_from = (gather), .scatter_step = KIB(16), .scatter_hand_from = (scatter),     \
        .leave_to = 0, .hand_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}}, \
        .allgather_direct_from = ANY, .alltoall_direct_from = ANY,                                 \
        .reduce_part = {{KIB(64), KIB(8)}, {KIB(256), KIB(16)}, {ANY, KIB(32)}},                   \
        .allreduce_part = {{KIB(64), KIB(64)},                                                     \
                           {KIB(128), KIB(128)},                                                   \
                           {KIB(256), KIB(256)},                                                   \
                           {ANY, KIB(128)}},                                                       \
        .share_from = ANY, .reduce_direct_from = ANY, .allreduce_direct_from = (allreduce)         \
    }

/*
 * The first line that fits. Only a file, or a trial of two, has the kernel copy broadcasts: on some machines copies through the
 * ring, which know how far their readers are (copier.h), are as fast or faster up to 8 MiB (bench/RESULTS.md).
 */
static const struct hitop_thresholds table[] = {
    PAIR_BY(ANY, KIB(4096) + 1, KIB(4096), ANY),
    {.nranks = 2,
     .alone = 0,
     .barrier_lines_to = 0,
     .fragment = {{KIB(16), KIB(4)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .pull_from = ANY,
     .pull_row_from = KIB(1),
     .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .mirror_from = KIB(4),
     .patience = 8,
     .gather_step = KIB(32),
     .gather_hand_from = KIB(128) + 1,
     .scatter_step = KIB(64),
     .scatter_hand_from = KIB(128) + 1,
     .leave_to = KIB(1024),
     .hand_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .allgather_direct_from = ANY,
     .alltoall_direct_from = ANY,
     .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}},
     .allreduce_part = {{KIB(512), KIB(64)}, {ANY, KIB(128)}},
     .share_from = ANY,
     .reduce_direct_from = ANY,
     .allreduce_direct_from = ANY},
    {.nranks = INT_MAX,
     .alone = 1,
     .barrier_lines_to = 8,
     .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .pull_from = ANY,
     .pull_row_from = KIB(1),
     .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .mirror_from = KIB(4),
     .patience = 1,
     .gather_step = KIB(32),
     .gather_hand_from = KIB(128) + 1,
     .scatter_step = KIB(16),
     .scatter_hand_from = KIB(16),
     .leave_to = 0,
     .hand_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .allgather_direct_from = KIB(64) + 1,
     .alltoall_direct_from = KIB(64) + 1,
     .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}},
     .allreduce_part = {{ANY, KIB(128)}},
     .share_from = KIB(4) + 1,
     .reduce_direct_from = KIB(512),
     .allreduce_direct_from = KIB(1024)},
    {.nranks = 4,
     .alone = 0,
     .barrier_lines_to = 0,
     .fragment = {{KIB(192), KIB(16)}, {ANY, KIB(32)}},
     .pull_from = ANY,
     .pull_row_from = KIB(1),
     .chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .mirror_from = KIB(4),
     .patience = 8,
     .gather_step = KIB(32),
     .gather_hand_from = KIB(256) + 1,
     .scatter_step = KIB(64),
     .scatter_hand_from = KIB(256),
     .leave_to = KIB(4096),
     .hand_chunk = {{KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}},
     .allgather_direct_from = ANY,
     .alltoall_direct_from = KIB(64) + 1,
     .reduce_part = {{KIB(256), KIB(16)}, {ANY, KIB(32)}},
     .allreduce_part = {{ANY, KIB(128)}},
     .share_from = KIB(4) + 1,
     .reduce_direct_from = ANY,
     .allreduce_direct_from = ANY},
    SHARED_BY(8, KIB(64) + 1),
    SHARED_BY(INT_MAX, KIB(16)),
};

const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone)
{
    const struct hitop_thresholds *row = table;

    while (nranks > row->nranks || !alone != !row->alone) {
        row++;
    }
    return row;
}

const struct hitop_thresholds *hitop_thresholds_with_kernel(int nranks, int alone)
{
    static const struct hitop_thresholds pair = PAIR_BY(KIB(1024), KIB(1024), KIB(1024), KIB(512));

    return nranks <= pair.nranks && alone ? &pair : NULL;
}
