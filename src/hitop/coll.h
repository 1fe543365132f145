/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLL_H
#define HITOP_COLL_H

/**
 * @file coll.h
 * @brief Plan a collective: turn an algorithm and arguments into one rank's schedule.
 *
 * An algorithm is a file of coll/algorithms. Of what an operation (hitop/operation.h) brings, a
 * schedule finds in HITOP_BUFFER_SEND what the rank brings, and leaves in HITOP_BUFFER_RECV what it
 * takes away. A broadcast has its message in HITOP_BUFFER_RECV, also at the root.
 */

#include "hitop/operation.h"
#include "hitop/param.h"
#include "hitop/sched.h"
#include "hitop/tree.h"

HITOP_BEGIN_DECLS

/**
 * Arguments all collectives share. All ranks must pass the same values but for `rank` and, where
 * the ranks of an alltoallv exchange blocks of any length, `starts` and `recv_starts`.
 */
struct hitop_coll_args {
    int rank;
    int size;
    int root;     /**< 0 where there is none */
    size_t bytes; /**< of the message, or of one block */
    const size_t
        *starts; /**< [size + 1], ascending: block i is bytes starts[i] .. starts[i + 1] - 1 of all;
                                NULL: all blocks have `bytes`. Borrowed. */
    const size_t
        *recv_starts; /**< likewise, of the blocks that an alltoallv receives; NULL elsewhere */
    size_t
        unit; /**< bytes of an element, which no reduction cuts; 0 is 1. Lengths are multiples. */
    int ordered; /**< 1: what is combined does not commute and has to stay in the order of ranks */
    const struct hitop_tree *tree; /**< borrowed; root and size must agree, or NULL */
    const double
        *params; /**< a value for each parameter of the algorithm; NULL: the defaults. Borrowed. */
};

/**
 * Plan the algorithm called @p name, e.g. "bcast_tree".
 *
 * @param out     receives the schedule; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND     no algorithm has that name; the message lists the valid ones
 * @retval HITOP_ERR_INVALID      an argument or a parameter is out of range
 * @retval HITOP_ERR_UNSUPPORTED  the algorithm cannot serve these arguments; the message says why
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_coll_plan(const char *name,
                                                             const struct hitop_coll_args *args,
                                                             struct hitop_sched **out,
                                                             struct hitop_diag *diag);

/** Packed bytes that rank args->rank brings to @p operation; 0 in a broadcast, see above. */
HITOP_API size_t hitop_coll_brings(const struct hitop_operation *operation,
                                   const struct hitop_coll_args *args);

/** Packed bytes that rank args->rank takes away from @p operation. */
HITOP_API size_t hitop_coll_takes(const struct hitop_operation *operation,
                                  const struct hitop_coll_args *args);

HITOP_END_DECLS

#endif /* HITOP_COLL_H */
