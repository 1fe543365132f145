/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SYS_TREE_H
#define HITOP_SYS_TREE_H

/**
 * @file sys/tree.h
 * @brief Interface of a tree builder. Stable within a minor release only.
 */

#include "hitop/tree.h"

HITOP_BEGIN_DECLS

/** The builder uses args->cost. */
#define HITOP_TREE_NEEDS_COST (1u << 0)

struct hitop_tree_builder {
    const char *name;    /**< unique; equals the file name without "tree_" */
    const char *summary; /**< one line for help texts */
    unsigned needs;      /**< OR of HITOP_TREE_NEEDS_*; checked before build() is called */
    const struct hitop_param *params;
    size_t nparams;
    int by_name; /**< 1: is used where it is named, and never chosen by prediction */

    /**
     * Fill parent[] and order[] for ranks 0..size-1. parent[root] = HITOP_NO_RANK. order[] is a
     * permutation of the ranks, root first, parents before their children, and the children of a
     * parent in send order. The caller builds the child lists from it and refuses a result that is
     * not a spanning tree.
     */
    enum hitop_status (*build)(const struct hitop_tree_args *args, const double *params,
                               int *parent, int *order, struct hitop_diag *diag);
};

/** NULL-terminated table of all builders. */
HITOP_API const struct hitop_tree_builder *const *hitop_tree_builders(void);

/**
 * Append a builder of a program to the table: it becomes a tree and an algorithm of operations over
 * trees. Call it before other threads use the library and before the first collective of
 * hitop/collectives_mpi.h, on all ranks with the same builders in the same order. Repeated calls
 * with the same builder succeed.
 *
 * @param builder  must be valid as long as the program
 * @retval HITOP_ERR_INVALID      its name is used or not allowed, a required member is missing, or
 *                                its table of parameters is wrong; the message says which
 * @retval HITOP_ERR_UNSUPPORTED  HITOP_PRIVATE_MAX builders have been added already
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_tree_builder_register(const struct hitop_tree_builder *builder, struct hitop_diag *diag);

/** Find a builder by name. @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_tree_builder_find(const char *name, const struct hitop_tree_builder **out,
                        struct hitop_diag *diag);

/**
 * Make a tree of parent[] and order[], in the form of hitop_tree_builder.build. Both are copied.
 *
 * @param name  the builder, for the message
 * @param out   receives the tree; NULL on failure
 * @retval HITOP_ERR_INVALID  they are not a spanning tree with this root
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_tree_make(const char *name, int size, int root,
                                                             const int *parent, const int *order,
                                                             struct hitop_tree **out,
                                                             struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SYS_TREE_H */
