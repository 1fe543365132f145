/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLOCK_H
#define BLOCK_H

/*
 * block.h - some milliseconds of one collective, in one of three modes.
 *
 * rot   back to back, another root each time: time over operations, largest over ranks
 * sync  all ranks start at an agreed time; time of the slowest one from its start, mean of the
 * middle half of the operations, because clocks go in steps of 10 ns. Operations to which a rank
 * starts late do not count. Needs one clock for all ranks, as on one machine. Where ranks share
 * processors or no memory starts are far apart. b2b   back to back, fixed root: throughput
 *
 * From rot and sync is taken what they take without operations: two looks at the clock, or writing
 * and looking at data that are in the caches. In b2b that goes on beside the operations of other
 * ranks, and is part of it.
 */

#include "bench/checked.h"
#include "bench/together.h"

enum block_mode { BLOCK_ROT, BLOCK_SYNC, BLOCK_B2B, BLOCK_NMODES };

extern const char *const block_mode_names[BLOCK_NMODES];

struct block {
    enum block_mode mode;
    int root;    /* where it is fixed */
    int n;       /* operations */
    double lead; /* of sync: seconds from when the last rank has come to the start */
    double idle; /* seconds of an operation that is none */
};

/* As many operations as take these seconds. Collective. */
struct block block_plan(enum block_mode mode, int root, double seconds, struct checked *c,
                        struct together *ranks, const struct coll_functions *by);

/*
 * Seconds of an operation, alike on all ranks; -1 when too few of them were undisturbed.
 * Collective.
 */
double block_run(const struct block *block, struct checked *c, struct together *ranks,
                 const struct coll_functions *by);

#endif /* BLOCK_H */
