/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPARE_MPI_H
#define COMPARE_MPI_H

/*
 * compare_mpi.h - on one communicator, the first calls of each kind are served by Hitop and by
 * the MPI library in turns; whichever is faster serves the rest.
 *
 * A kind of calls is an operation, its root's place and a range of lengths. Ranks must agree: one
 * MPI_Iallreduce puts the times together before they are judged, and all ranks wait for it a
 * fixed number of calls later, so that a rank that does not wait for others in the operation
 * rarely waits for them here.
 */

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/compare.h"

void hitop_compare_log_free(struct compare_log *log);

struct compare {
    int most;      /* calls each way; 0: nothing is compared */
    MPI_Comm wire; /* where ranks agree; borrowed */
    struct compare_log *log;
    /* Of each operation NULL, or a list for each range of lengths. */
    struct compare_class **classes[HITOP_NOPERATIONS];
};

/* A call; equal on all ranks but for `own`. */
struct compare_key {
    enum hitop_operation_id operation;
    int place;    /* of the root, those beyond COMPARE_PLACES being one; or 0 */
    size_t bytes; /* as all ranks know, or 0 */
    size_t own;   /* where they do not: of this rank. Calls of other lengths are not compared */
    int is_empty; /* no byte moves: nothing to compare */
};

/*
 * The key of `call` of rank `rank` of `size`, whose arguments are in order. Its root is at
 * `place` = 0, 1, ...
 */
struct compare_key hitop_compare_key_of(const struct call *call, int rank, int size, int place);

/* The same of an operation that is not uneven, in which `bytes` move. */
struct compare_key hitop_compare_key_even(enum hitop_operation_id operation, size_t bytes,
                                          int place);

/* A call under way; all zero for one that is not timed. */
struct compare_turn {
    struct compare *in;
    struct compare_class *class;
    uint64_t since;
};

/*
 * What serves this call; `turn` is for hitop_compare_exit() after it. Collective over in->wire,
 * once in a while.
 */
enum compare_by hitop_compare_enter(struct compare *in, const struct compare_key *key,
                                    struct compare_turn *turn);

/* The call has ended with this MPI code; Hitop served it by `algorithm`, or MPI did: NULL. */
void hitop_compare_exit(struct compare_turn *turn, const char *algorithm, int code);

/*
 * Before in->wire is freed; `meets` is 0 if other ranks may not do the same. A second call does
 * nothing.
 */
void hitop_compare_end(struct compare *in, int meets);

#endif /* COMPARE_MPI_H */
