/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLL_H
#define HITOP_COLL_H

/**
 * @file coll.h
 * @brief Plan a collective: turn an algorithm and arguments into one rank's schedule.
 *
 * An algorithm is a file of coll/algorithms. HITOP_BUFFER_SEND has the input of the rank for the
 * operation (hitop/operation.h), and the schedule leaves its output in HITOP_BUFFER_RECV. The
 * message of a broadcast is in HITOP_BUFFER_RECV, also at the root.
 */

#include "hitop/operation.h"
#include "hitop/param.h"
#include "hitop/sched.h"
#include "hitop/tree.h"

HITOP_BEGIN_DECLS

/**
 * Arguments of all collectives. All ranks must pass equal values, except for `rank` and, for
 * alltoallv, `starts` and `recv_starts`.
 */
struct hitop_coll_args {
    int rank;
    int size;
    int root;     /**< 0 if there is none */
    size_t bytes; /**< of the message, or of one block */
    /**
     * [size + 1], ascending: block i is bytes starts[i] .. starts[i + 1] - 1 of all; NULL: all
     * blocks have `bytes`. Borrowed.
     */
    const size_t *starts;
    /** The same for the blocks that an alltoallv receives; else NULL. */
    const size_t *recv_starts;
    /** Bytes of an element, which reductions do not divide; 0 is 1. Lengths are multiples. */
    size_t unit;
    int ordered; /**< 1: operands do not commute and are combined in the order of ranks */
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

/** Packed bytes of the input of rank args->rank for @p operation; 0 in a broadcast, see above. */
HITOP_API size_t hitop_coll_brings(const struct hitop_operation *operation,
                                   const struct hitop_coll_args *args);

/** Packed bytes of the output of rank args->rank of @p operation. */
HITOP_API size_t hitop_coll_takes(const struct hitop_operation *operation,
                                  const struct hitop_coll_args *args);

HITOP_END_DECLS

#endif /* HITOP_COLL_H */
