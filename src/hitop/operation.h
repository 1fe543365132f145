/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OPERATION_H
#define HITOP_OPERATION_H

/**
 * @file operation.h
 * @brief The semantics of MPI's collectives: which data each rank contributes and receives.
 *
 * Sizes are packed bytes; the blocks of the ranks are consecutive, by rank.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Input or output of one rank. */
enum hitop_share {
    HITOP_NOTHING,
    HITOP_MESSAGE, /**< bytes without a division by rank */
    HITOP_BLOCK,   /**< its own block */
    HITOP_BLOCKS   /**< one block for each rank */
};

enum hitop_operation_flag {
    HITOP_ROOT_BRINGS = 1u << 0, /**< only the root has an input */
    HITOP_ROOT_TAKES = 1u << 1,  /**< only the root has an output */
    HITOP_REDUCES = 1u << 2,     /**< the inputs are combined */
    HITOP_UNEVEN = 1u << 3       /**< blocks may differ in length */
};

struct hitop_operation {
    const char *name;               /**< that of MPI in small letters: "scatterv" */
    const char *family;             /**< operation whose algorithms serve it: "scatter" */
    enum hitop_share brings, takes; /**< input and output of a rank */
    unsigned flags;                 /**< OR of enum hitop_operation_flag */
};

/** Index of an operation in hitop_operations(). */
enum hitop_operation_id {
    HITOP_ALLGATHER,
    HITOP_ALLGATHERV,
    HITOP_ALLREDUCE,
    HITOP_ALLTOALL,
    HITOP_ALLTOALLV,
    HITOP_BARRIER,
    HITOP_BCAST,
    HITOP_EXSCAN,
    HITOP_GATHER,
    HITOP_GATHERV,
    HITOP_REDUCE,
    HITOP_REDUCE_SCATTER,
    HITOP_REDUCE_SCATTER_BLOCK,
    HITOP_SCAN,
    HITOP_SCATTER,
    HITOP_SCATTERV,
    HITOP_NOPERATIONS
};

/** All operations by name; the last one has the name NULL. */
HITOP_API HITOP_CONST const struct hitop_operation *hitop_operations(void);

/**
 * Find an operation by any of its usual names: "bcast", "MPI_Bcast", "Broadcast", "all-reduce",
 * "allReduce", or by one of CPM and MPIBlib (hitop/cpm.h). All options, variables and files of
 * Hitop accept these names.
 *
 * @retval HITOP_ERR_NOTFOUND  the message has the nearest name and lists the valid ones
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_operation_find(const char *name, const struct hitop_operation **out, struct hitop_diag *diag);

/**
 * Read an operation and perhaps an algorithm of it: "bcast", "MPI_Bcast/ecef", or a name of CPM for
 * both, such as "Hockney_Scatter_dfs_binomial_min".
 *
 * @param algorithm  receives the name after '/', a part of @p text, or the present name of CPM's
 *                   algorithm, a constant; NULL: @p text names no algorithm. It is not looked up.
 * @retval HITOP_ERR_NOTFOUND  no such operation, as in hitop_operation_find()
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_operation_split(const char *text, const struct hitop_operation **operation,
                      const char **algorithm, struct hitop_diag *diag);

/**
 * Read a list such as "bcast,MPI_Reduce".
 *
 * @param out  receives the set: bit i is operation i of hitop_operations(); 0 on failure
 * @retval HITOP_ERR_NOTFOUND  a name is wrong, as in hitop_operation_find()
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_operation_list(const char *list, unsigned *out,
                                                                  struct hitop_diag *diag);

/** Whether the operation has a root. */
static inline int hitop_operation_has_root(const struct hitop_operation *operation)
{
    return (operation->flags & (HITOP_ROOT_BRINGS | HITOP_ROOT_TAKES)) != 0;
}

HITOP_END_DECLS

#endif /* HITOP_OPERATION_H */
