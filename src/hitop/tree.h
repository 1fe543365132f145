/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TREE_H
#define HITOP_TREE_H

/**
 * @file tree.h
 * @brief Rooted spanning trees over ranks 0..n-1.
 *
 * A tree is immutable once built and holds no MPI state, so it can be built, checked, costed and
 * drawn without a launcher. Children come in the order in which a parent should send to them.
 *
 * @code
 * struct hitop_diag diag = HITOP_DIAG_INIT;
 * struct hitop_tree *tree = NULL;
 * const struct hitop_tree_args args = {.size = 8, .root = 0};
 * if (hitop_tree_build("binomial", &args, NULL, &tree, &diag) != HITOP_OK) {
 *     fprintf(stderr, "%s\n", diag.message);
 * }
 * hitop_tree_free(tree);
 * @endcode
 */

#include "hitop/cost.h"
#include "hitop/hierarchy.h"
#include "hitop/param.h"

HITOP_BEGIN_DECLS

/** Opaque. The caller that builds it owns it; release with hitop_tree_free(). */
struct hitop_tree;

/** Arguments of a tree builder. */
struct hitop_tree_args {
    int size;                      /**< number of ranks, at least 1 */
    int root;                      /**< rank at the top, 0 <= root < size */
    size_t bytes;                  /**< message size, used by model-mapped builders */
    const struct hitop_cost *cost; /**< borrowed; NULL for shapes */

    /**
     * [size] bytes of the block of each rank, for scatterv and gatherv; NULL: all have `bytes`.
     * Borrowed. The file of a builder documents how it uses blocks of different lengths; shapes and
     * builders that use one message size for all ranks (ecef, nested) ignore them.
     */
    const size_t *counts;
};

/**
 * Build a tree with the builder called @p name.
 *
 * @param name    registry name, as printed by `predict_collective --list`
 * @param args    size and root are always read; bytes and cost by model-mapped builders
 * @param params  one value per builder parameter, or NULL for the defaults
 * @param out     receives the tree; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no builder has that name; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   size, root or a parameter is out of range, or the builder needs a
 *                             cost and there is none for that many ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_tree_build(const char *name, const struct hitop_tree_args *args, const double *params,
                 struct hitop_tree **out, struct hitop_diag *diag);

/** Release a tree. NULL is allowed. */
HITOP_API void hitop_tree_free(struct hitop_tree *tree);

/* Getters. They cannot fail; ranks must be in range (asserted). */

HITOP_API int hitop_tree_size(const struct hitop_tree *tree);
HITOP_API int hitop_tree_root(const struct hitop_tree *tree);

/** Parent of @p rank, or HITOP_NO_RANK for the root. */
HITOP_API int hitop_tree_parent(const struct hitop_tree *tree, int rank);

/** Children of @p rank in send order; valid until hitop_tree_free(). */
HITOP_API const int *hitop_tree_children(const struct hitop_tree *tree, int rank, int *count);

/** Ranks in the subtree of @p rank, itself included. */
HITOP_API int hitop_tree_weight(const struct hitop_tree *tree, int rank);

/*
 * In-order traversal: an order of all ranks in which each subtree is contiguous. The subtrees of a
 * rank whose lowest rank is smaller come before it, the others after it, both by lowest rank. The
 * blocks of a scatter have this order.
 */

/** First place of the subtree of @p rank in this order. */
HITOP_API int hitop_tree_first_place(const struct hitop_tree *tree, int rank);

/** Place of @p rank itself. */
HITOP_API int hitop_tree_place(const struct hitop_tree *tree, int rank);

/** The rank at @p place, 0 <= place < size. */
HITOP_API int hitop_tree_rank_at(const struct hitop_tree *tree, int place);

/** 1: the ranks of each subtree are consecutive; then the place of a rank is its number. */
HITOP_API int hitop_tree_in_order(const struct hitop_tree *tree);

HITOP_END_DECLS

#endif /* HITOP_TREE_H */
