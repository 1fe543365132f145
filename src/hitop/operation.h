/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OPERATION_H
#define HITOP_OPERATION_H

/**
 * @file operation.h
 * @brief The semantics of MPI's collectives: which data each rank contributes and receives.
 *
 * Everything is counted in packed bytes: the blocks of the ranks lie one after another, by rank.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** What one rank brings or takes away. */
enum hitop_share {
    HITOP_NOTHING,
    HITOP_MESSAGE, /**< bytes that belong to no rank in particular */
    HITOP_BLOCK,   /**< its own block */
    HITOP_BLOCKS   /**< one block for each rank */
};

enum hitop_operation_flag {
    HITOP_ROOT_BRINGS = 1u << 0, /**< only the root brings something */
    HITOP_ROOT_TAKES = 1u << 1,  /**< only the root takes something away */
    HITOP_REDUCES = 1u << 2,     /**< what the ranks bring is combined */
    HITOP_UNEVEN = 1u << 3       /**< blocks may differ in length */
};

struct hitop_operation {
    const char *name;   /**< MPI's, in small letters: "scatterv" */
    const char *family; /**< whose algorithms serve it: "scatter" */
    enum hitop_share brings, takes;
    unsigned flags; /**< OR of enum hitop_operation_flag */
};

/** Where an operation stands in hitop_operations(). */
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
 * Find an operation by a name as people write it: "bcast", "MPI_Bcast", "Broadcast", "all-reduce",
 * "allReduce". Every option, variable and file of Hitop that names operations is read by this
 * function.
 *
 * @retval HITOP_ERR_NOTFOUND  the message has the nearest name and lists the valid ones
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_operation_find(const char *name, const struct hitop_operation **out, struct hitop_diag *diag);

/**
 * Read a list such as "bcast,MPI_Reduce".
 *
 * @param out  receives the set: bit i is operation i of hitop_operations(); 0 on failure
 * @retval HITOP_ERR_NOTFOUND  one of them is none, as in hitop_operation_find()
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_operation_list(const char *list, unsigned *out,
                                                                  struct hitop_diag *diag);

/** Whether one rank is unlike the others. */
static inline int hitop_operation_has_root(const struct hitop_operation *operation)
{
    return (operation->flags & (HITOP_ROOT_BRINGS | HITOP_ROOT_TAKES)) != 0;
}

HITOP_END_DECLS

#endif /* HITOP_OPERATION_H */
