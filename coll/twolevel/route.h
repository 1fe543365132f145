/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_ROUTE_H
#define HITOP_ROUTE_H

/*
 * route.h - tree and segment of a broadcast between nodes, chosen by prediction. Pure: no MPI.
 *
 * The root predicts the trees that may win for its message and puts its choice in the header of the
 * message; the others build that tree. Trees and choices are kept per root and class of sizes.
 */

#include "hitop/cost.h"
#include "hitop/model.h"
#include "hitop/tree.h"

#include <stdint.h>

struct hitop_route;

/*
 * The longest segment, bytes: below the eager limit of common transports (64 KiB with TCP), so that
 * it leaves without a handshake; large enough that its own cost hardly counts.
 */
enum { HITOP_ROUTE_SEGMENT = 32 * 1024 };

/* What the root decides and the header carries. */
struct hitop_route_choice {
    unsigned algorithm; /* index of a tree builder, the same in every process */
    size_t segment;     /* bytes, > 0 */
};

/* Between the nodes 0..n-1 that `model`, which is taken over in any case, prices as ranks. */
enum hitop_status hitop_route_create(struct hitop_model *model, struct hitop_route **out,
                                     struct hitop_diag *diag);

/* NULL is allowed. */
void hitop_route_free(struct hitop_route *route);

/* The fastest for `bytes` > 0 from node `root`. Cannot fail: at worst it is a plain tree. */
struct hitop_route_choice hitop_route_choose(struct hitop_route *route, int root, size_t bytes);

/* The index of a tree builder. */
unsigned hitop_route_named(const char *builder);

/*
 * The tree of a choice, the same in every process; lent. NULL when the algorithm does not exist or
 * memory ran out.
 */
const struct hitop_tree *hitop_route_tree(struct hitop_route *route, unsigned algorithm, int root,
                                          size_t bytes);

/*
 * The same kind of tree over `n` of the nodes, of which the first is its root; rank i of the tree
 * is nodes[i]. Owned by the caller; NULL when memory ran out.
 */
struct hitop_tree *hitop_route_part(struct hitop_route *route, unsigned algorithm, const int *nodes,
                                    int n, size_t bytes);

/* The model was measured, not guessed: shorter segments are worth a prediction. */
void hitop_route_trust(struct hitop_route *route);
int hitop_route_is_trusted(const struct hitop_route *route);

/* Leaders copy what comes into the shared memory of a node. */
void hitop_route_copies(struct hitop_route *route);

/*
 * Seconds that segments after the first cost beyond their bytes; 0 where the model prices what a
 * message takes of a processor, which is in the prediction.
 */
double hitop_route_cutting(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes);

/* Prices between nodes; lent. */
const struct hitop_cost *hitop_route_cost(const struct hitop_route *route);

/* A lower bound of a tree's seconds with any segment, faster than a prediction; 0: not known. */
double hitop_route_bound(struct hitop_route *route, unsigned algorithm, int root, size_t bytes);

/* Seconds of a short message from node 0 to the farthest node, or to the nearest. */
double hitop_route_latency(const struct hitop_route *route, int longest);

/* Predicted seconds of a choice. Negative when it cannot be predicted. */
double hitop_route_predict(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes);

/*
 * A part of a tree as it travels in a message: ranks in preorder, each with the number of ranks
 * below it, which follow. The children of a rank are found by stepping over their own parts.
 */
struct hitop_branch {
    int32_t rank;
    int32_t below; /* how many of the following entries are its descendants */
};

/*
 * All descendants of the root of `tree`, whose rank i is `rank[i]` in the list, children in the
 * order of the tree. Writes and returns their number, one less than the tree's size.
 */
int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out);

#endif /* HITOP_ROUTE_H */
