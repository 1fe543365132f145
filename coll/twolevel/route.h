/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_ROUTE_H
#define HITOP_ROUTE_H

/*
 * route.h - the way of a broadcast between nodes, chosen by prediction.
 *
 * The root predicts all trees for its message that may win, and puts its choice in the header of the message; the others
 * build the tree they are told. Trees and choices are kept, per root and class of sizes. Pure: no MPI.
 */

#include "hitop/cost.h"
#include "hitop/model.h"
#include "hitop/tree.h"

#include <stdint.h>

struct hitop_route;

/*
 * Below the eager limit of common transports (64 KiB with TCP), so that a segment leaves without asking the receiver
 * first; large enough that its own cost hardly counts.
 */
enum { HITOP_ROUTE_SEGMENT = 32 * 1024 }; /* the longest, bytes */

/* What the root decides and the header carries. */
struct hitop_route_choice {
    unsigned algorithm; /* index of a tree builder, the same in every process */
    size_t segment;     /* bytes, > 0 */
};

/*
 * Ways between the nodes 0..n-1 that `model` prices, one "rank" a node.
 *
 * @param model  taken over, also on failure
 */
enum hitop_status hitop_route_create(struct hitop_model *model, struct hitop_route **out,
                                     struct hitop_diag *diag);

/* NULL is allowed. */
void hitop_route_free(struct hitop_route *route);

/* The fastest way for `bytes` > 0 from node `root`. Cannot fail: the worst it does is a plain tree. */
struct hitop_route_choice hitop_route_choose(struct hitop_route *route, int root, size_t bytes);

/* The number of a tree builder in choices. */
unsigned hitop_route_named(const char *builder);

/*
 * The tree of a choice; lent until hitop_route_free(). The same arguments give the same tree in every
 * process. NULL when the algorithm does not exist or memory ran out.
 */
const struct hitop_tree *hitop_route_tree(struct hitop_route *route, unsigned algorithm, int root,
                                          size_t bytes);

/*
 * The same kind of tree over `n` of the nodes, of which the first is its root; rank i of the tree is nodes[i]. Owned by
 * the caller; NULL when memory ran out.
 */
struct hitop_tree *hitop_route_part(struct hitop_route *route, unsigned algorithm, const int *nodes,
                                    int n, size_t bytes);

/* Numbers of the model were measured, not guessed: shorter segments are worth a prediction. */
void hitop_route_trust(struct hitop_route *route);
int hitop_route_is_trusted(const struct hitop_route *route);

/* On some node leaders put into shared memory what comes. */
void hitop_route_copies(struct hitop_route *route);

/*
 * What segments after the first one cost beyond their bytes, where most are sent; nothing where the model knows what a
 * message takes of a processor, which is in the prediction.
 */
double hitop_route_cutting(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes);

/* What the ways cost; lent. */
const struct hitop_cost *hitop_route_cost(const struct hitop_route *route);

/* Seconds that a tree takes at least, whatever its segments, by less work than a prediction; 0 when nothing is known. */
double hitop_route_bound(struct hitop_route *route, unsigned algorithm, int root, size_t bytes);

/* Seconds of the longest way that a short message has from node 0, or of the shortest. */
double hitop_route_latency(const struct hitop_route *route, int longest);

/* Predicted seconds of a choice; for reports. Negative when it cannot be predicted. */
double hitop_route_predict(struct hitop_route *route, struct hitop_route_choice choice, int root,
                           size_t bytes);

/*
 * The time of a segmented broadcast that nodes relay without blocking.
 *
 * Every node sends a segment to its children, in order, as soon as it has it and its port is free; a segment
 * keeps the port for cost->occupancy() and arrives after cost->p2p(), or as far behind the one before it as the narrowest of
 * cost->crossings() keeps it. So latencies overlap with
 * transfers, as they do when relay_mpi.c relays.
 *
 * Its processor does one thing after the other: it takes a segment, for what cost->reception() says of an empty message;
 * hands it over for each child, for what cost->occupancy() says of one; and copies it, for cost->local(). Before the
 * segments goes a header that says who is next. A short message is in the header.
 */

/* About the longest message that its header carries, bytes. */
enum { HITOP_RELAY_IN_HEADER = 3 * 1024 };

/* Seconds until the last node has all of `bytes` > 0; negative when memory ran out. */
double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment);

/*
 * What messages cost a leader who relays them, from what a model says of messages.
 *
 * He sends without blocking: while one message is under way the next one leaves. What keeps him from the next one is
 * putting the bytes on the line, not the latency, or handing the message over, which goes on meanwhile; a model that
 * knows better says so. Pure: no MPI.
 */

/* Of nodes that `model` prices, which has to stay. */
struct hitop_cost hitop_relay_cost(const struct hitop_cost *model);

/* He puts into the memory of his node what comes. */
void hitop_relay_cost_copies(struct hitop_cost *cost);

/*
 * A part of a tree as it travels in a message. Pure: no MPI.
 *
 * Ranks in preorder, each with the number of ranks below it: the list of a rank is what stands behind it, and its
 * children are found by stepping over their own lists.
 */

struct hitop_branch {
    int32_t rank;
    int32_t below; /* how many of the following entries are its descendants */
};

/*
 * All descendants of the root of `tree`, whose rank i is `rank[i]` in the list, children in the order of the tree.
 * Writes and returns their number, one less than the tree's size.
 */
int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out);

#endif /* HITOP_ROUTE_H */
