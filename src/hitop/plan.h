/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLAN_H
#define HITOP_PLAN_H

/**
 * @file plan.h
 * @brief The algorithms of an operation, and the plan of one of them for all ranks.
 *
 * Names are "operation/algorithm", e.g. "bcast/ecef" or "allgather/ring". The algorithm is the name
 * of a tree (hitop/tree.h) if an algorithm of the operation runs over any tree, else the name
 * of a file of coll/algorithms without the operation.
 */

#include "hitop/coll.h"

HITOP_BEGIN_DECLS

struct hitop_coll_type;    /* hitop/sys/coll.h */
struct hitop_tree_builder; /* hitop/sys/tree.h */

/** An algorithm of an operation. */
struct hitop_algorithm {
    const struct hitop_coll_type *type;
    const struct hitop_tree_builder *tree; /**< NULL if the algorithm needs none */
};

/** Number of algorithms of @p operation. */
HITOP_API size_t hitop_algorithm_count(const struct hitop_operation *operation);

/** The @p index-th of them; index < hitop_algorithm_count(). */
HITOP_API struct hitop_algorithm hitop_algorithm_at(const struct hitop_operation *operation,
                                                    size_t index);

/** The name of an algorithm, valid as long as the program. */
HITOP_API const char *hitop_algorithm_name(struct hitop_algorithm algorithm);

/**
 * Find an algorithm by its name, or by one of CPM and MPIBlib (hitop/cpm.h).
 *
 * @retval HITOP_ERR_NOTFOUND  the message lists the valid names
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_algorithm_find(const struct hitop_operation *operation, const char *name,
                     struct hitop_algorithm *out, struct hitop_diag *diag);

/** Arguments of a plan; see struct hitop_coll_args. */
struct hitop_plan_args {
    struct hitop_algorithm algorithm;
    const double *params;      /**< of the algorithm, or NULL for its defaults */
    const double *tree_params; /**< of the tree, or NULL for its defaults */
    int size;
    int root;
    size_t bytes;
    const size_t *starts; /**< blocks of different lengths, or NULL */
    size_t unit;
    int ordered;
    const struct hitop_cost *cost; /**< for trees that a model maps; or NULL */
};

/** The schedules of all ranks. Release with hitop_plan_free(). */
struct hitop_plan {
    int size;
    struct hitop_tree *tree;    /**< NULL if the algorithm needs none */
    struct hitop_sched **sched; /**< [size] */
    size_t nsteps;              /**< of all ranks together */
};

/**
 * Plan for all ranks.
 *
 * @param out  receives the plan; set to NULL on failure
 * @retval HITOP_ERR_INVALID      an argument is out of range
 * @retval HITOP_ERR_UNSUPPORTED  the algorithm cannot serve these arguments, or its plan would take
 *                                more than about a gigabyte; the message says which
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_plan_build(const struct hitop_plan_args *args,
                                                              struct hitop_plan **out,
                                                              struct hitop_diag *diag);

/** The tree of the plan, NULL if the algorithm needs none. The caller releases it. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_plan_tree(const struct hitop_plan_args *args,
                                                             struct hitop_tree **out,
                                                             struct hitop_diag *diag);

/** Release a plan. NULL is allowed. */
HITOP_API void hitop_plan_free(struct hitop_plan *plan);

HITOP_END_DECLS

#endif /* HITOP_PLAN_H */
