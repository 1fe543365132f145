/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECKED_H
#define CHECKED_H

/*
 * checked.h - a collective whose data change from call to call, and are looked at afterwards.
 *
 * What is sent is rewritten before each call: a buffer that never changes stays in the reader's
 * caches and flatters transports that copy once. One byte of each line is, or one number where the
 * operation sums up, and the last.
 */

#include "hitop/operation.h"
#include "tools/check/coll_functions_mpi.h"

#include <stddef.h>

struct checked {
    const struct hitop_operation *operation;
    MPI_Comm comm;
    int rank, size;
    size_t bytes;  /* of a message or block */
    int sparingly; /* touch 64 lines at most: enough where the call itself rewrites what it will
                      send */
    unsigned long long wrong;
    unsigned char *pool, *in, *out; /* in and out are the places of this call in the pool */
    size_t place, nplaces, stride, longest;
};

/* Operations that checked_call() knows. */
int checked_is_known(const struct hitop_operation *operation);

/* The length nearest to this that the operation has: 0 of a barrier, whole numbers of a sum. */
size_t checked_length(const struct hitop_operation *operation, size_t bytes);

/*
 * Room for up to `longest` bytes a message or block, several times within `cold` bytes, through
 * which calls walk; cold is 0: one place. Ends the job when out of memory.
 */
void checked_init(struct checked *c, const struct hitop_operation *operation, size_t longest,
                  size_t cold, MPI_Comm comm);
void checked_fini(struct checked *c);

/*
 * A call has three steps: write the data of `turn` to the next place, call the function (none if
 * `by` is NULL), and compare the result.
 */
void checked_write(struct checked *c, int turn, int root);
void checked_call(const struct checked *c, const struct coll_functions *by, int root);
void checked_look(struct checked *c, int turn, int root);

/* 1 if no rank left a barrier before the last one arrived; some are late. Collective. */
int checked_barrier_holds(const struct coll_functions *by, MPI_Comm comm);

#endif /* CHECKED_H */
