/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCAST_CHOICE_H
#define BCAST_CHOICE_H

/*
 * bcast_choice.h - choose the segment size and the tree of an internode broadcast. Pure: no MPI.
 *
 * hitop_bcast_choose() predicts the time of each tree with each segment size, from 32 KiB down to 4
 * KiB if the model is measured, and takes the fastest. With many nodes that takes longer than a
 * broadcast, so each call of a root predicts some of them only and takes the best so far. The root
 * puts the choice into the header of its message; the other nodes build the same tree. Trees and
 * choices are cached per root and class of message sizes.
 */

#include "hitop/cost.h"
#include "hitop/model.h"
#include "hitop/tree.h"

#include <stdint.h>

/* The model of the nodes, and the cached trees and choices. */
struct hitop_bcast_choices {
    struct hitop_model *model;    /* internode */
    int is_measured;              /* 1: measured, not guessed: try segments below 32 KiB */
    struct hitop_cost model_cost; /* of the model */
    struct hitop_cost cost;       /* of the model for a leader that relays segments */
    unsigned nbuilders;
    struct bcast_entry **buckets; /* [nnodes], by root */
};

/*
 * The longest segment in bytes: below the eager limit of common transports (64 KiB with TCP), so
 * that it is sent without a handshake; large enough that the overhead per segment is small.
 */
enum { HITOP_BCAST_SEGMENT = 32 * 1024 };

/* The root's choice, which the header carries. */
struct hitop_bcast_choice {
    unsigned algorithm; /* index of a tree builder, the same in every process */
    size_t segment;     /* bytes, > 0 */
};

/*
 * Create choices for the nodes 0..n-1, which are the ranks of `model`. Takes ownership of `model`
 * in any case. copies: leaders copy what they receive into the shared memory of a node.
 */
enum hitop_status hitop_bcast_choices_create(struct hitop_model *model, int is_measured, int copies,
                                             struct hitop_bcast_choices **out,
                                             struct hitop_diag *diag);

/* NULL is allowed. */
void hitop_bcast_choices_free(struct hitop_bcast_choices *choices);

/* Predicted messages in one call: about 0.5 ms; those of one tree are all predicted. */
enum { HITOP_BCAST_MESSAGES = 8192 };

/*
 * The fastest choice for `bytes` > 0 from node `root`, of those that this call and earlier ones
 * have predicted. Stops after `most` predicted messages; *is_complete: 1 if no choice is left.
 * Cannot fail: when out of memory it is the first tree.
 */
struct hitop_bcast_choice hitop_bcast_choose(struct hitop_bcast_choices *choices, int root,
                                             size_t bytes, size_t most, int *is_complete);

/* The index of a tree builder. */
unsigned hitop_bcast_builder(const char *builder);

/*
 * The tree of a choice, the same in every process; struct hitop_bcast_choices owns it. NULL when
 * the algorithm does not exist or when out of memory.
 */
const struct hitop_tree *hitop_bcast_choice_tree(struct hitop_bcast_choices *choices,
                                                 unsigned algorithm, int root, size_t bytes);

/*
 * The same kind of tree over `n` of the nodes; the first is its root, and rank i of the tree is
 * nodes[i]. The caller owns it; NULL when out of memory.
 */
struct hitop_tree *hitop_bcast_part_tree(struct hitop_bcast_choices *choices, unsigned algorithm,
                                         const int *nodes, int n, size_t bytes);

/*
 * Seconds of overhead of the segments after the first, without the time of their bytes. 0 where the
 * model has the processor's time for a message, because hitop_bcast_predict() includes it.
 */
double hitop_bcast_segment_cost(struct hitop_bcast_choices *choices,
                                struct hitop_bcast_choice choice, int root, size_t bytes);

/*
 * A lower bound of a tree's seconds with any segment, faster to compute than a prediction; 0:
 * unknown.
 */
double hitop_bcast_bound(struct hitop_bcast_choices *choices, unsigned algorithm, int root,
                         size_t bytes);

/* Seconds of a short message from node 0 to the farthest node (`longest`) or to the nearest one. */
double hitop_internode_latency(const struct hitop_bcast_choices *choices, int longest);

/* Predicted seconds of a choice. Negative when it cannot be predicted. */
double hitop_bcast_predict(struct hitop_bcast_choices *choices, struct hitop_bcast_choice choice,
                           int root, size_t bytes);

/*
 * A part of a tree, as it travels in a message: ranks in preorder, each followed by its
 * descendants. The next child of a rank follows the branch of the previous child.
 */
struct hitop_branch {
    int32_t rank;
    int32_t below; /* number of the following entries that are its descendants */
};

/*
 * Write all descendants of the root of `tree`, children in the tree's order; rank i of the tree is
 * rank[i] in the list. Returns their number, one less than the tree's size.
 */
int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out);

#endif /* BCAST_CHOICE_H */
