/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARE_MPI_H
#define COMPARE_MPI_H

/*
 * compare_mpi.h - on one communicator, Hitop and the MPI library serve the first calls of each kind
 * in turns; the faster one serves the rest.
 *
 * A kind of calls is an operation, its root's place and a range of lengths. Ranks must agree: one
 * MPI_Iallreduce combines the times before ranks judge them, and all ranks wait for it a fixed
 * number of calls later, so that a rank that does not wait for others in the operation rarely waits
 * for them here. In simulations by SimGrid an MPI_Allreduce in that later call combines them.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/compare.h"

void hitop_compare_log_free(struct compare_log *log);

struct compare {
    int most;      /* calls of each; 0: no comparison */
    MPI_Comm wire; /* for agreement; borrowed */
    struct compare_log *log;
    /* For each operation NULL, or a list for each range of lengths. */
    struct compare_class **classes[HITOP_NOPERATIONS];
};

/* The kind of a call; equal on all ranks except for `own`. */
struct compare_key {
    enum hitop_operation_id operation;
    int place;    /* of the root, COMPARE_PLACES for all larger ones; 0 without a root */
    size_t bytes; /* 0 where not all ranks know it */
    size_t own;   /* for that case: bytes of this rank. Calls with other lengths are not compared */
    int is_empty; /* no byte moves: no comparison */
};

/*
 * The key of `call` on rank `rank` of `size`; its arguments are valid. Its root is at `place` = 0,
 * 1, ...
 */
struct compare_key hitop_compare_key_of(const struct call *call, int rank, int size, int place);

/* A timed call; all zero for one that is not timed. */
struct compare_turn {
    struct compare *in;
    struct compare_class *class;
    uint64_t since;
};

/*
 * Choose what serves this call; pass `turn` to hitop_compare_exit() after it. Collective over
 * in->wire in some calls.
 */
enum compare_by hitop_compare_enter(struct compare *in, const struct compare_key *key,
                                    struct compare_turn *turn);

/* The call has ended with the MPI code `code`; Hitop served it by `algorithm`, or MPI did: NULL. */
void hitop_compare_exit(struct compare_turn *turn, const char *algorithm, int code);

/*
 * Call before in->wire is freed; `is_complete` is 0 if other ranks may not do the same. A second
 * call does nothing.
 */
void hitop_compare_end(struct compare *in, int is_complete);

#endif /* COMPARE_MPI_H */
