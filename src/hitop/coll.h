/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COLL_H
#define HITOP_COLL_H

/**
 * @file coll.h
 * @brief Plan a collective: turn a name and arguments into one rank's schedule.
 *
 * A name is "operation/algorithm", e.g. "bcast/ecef" or "bcast/chain": the algorithm is the name of a
 * tree (hitop/tree.h) for operations that run over any tree, or of a file of its own.
 */

#include "hitop/param.h"
#include "hitop/sched.h"
#include "hitop/tree.h"

HITOP_BEGIN_DECLS

/** Arguments all collectives share. Every rank must pass the same values except for `rank`. */
struct hitop_coll_args {
    int rank;
    int size;
    int root;
    size_t bytes;                  /**< length of the user buffer */
    const struct hitop_tree *tree; /**< borrowed; root and size must agree, or NULL */
};

/**
 * Plan the algorithm called @p name, e.g. "bcast_tree".
 *
 * @param params  one value per parameter of the algorithm, or NULL for the defaults
 * @param out     receives the schedule; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND     no algorithm has that name; the message lists the valid ones
 * @retval HITOP_ERR_INVALID      an argument or a parameter is out of range
 * @retval HITOP_ERR_UNSUPPORTED  the algorithm cannot serve this number of ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_coll_plan(const char *name, const struct hitop_coll_args *args, const double *params,
                struct hitop_sched **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_COLL_H */
