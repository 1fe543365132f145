/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARCEL_TREE_H
#define HITOP_PARCEL_TREE_H

/*
 * parcel_tree.h - which node passes parcels on to which. Pure: no MPI.
 *
 * Nodes have places, counted from that of the root, place 0, in their order and around. Up to HITOP_NODES_MOST of them speak
 * to the root; more form a binomial tree, in which a node passes on what is for the places from its own to the end of its
 * branch.
 */

enum { PARCEL_CHILDREN = 31 };

int hitop_parcel_tree_parent(int nnodes, int place);

/* Fills PARCEL_CHILDREN places at most, longest branches first where it is a tree; returns their number. */
int hitop_parcel_tree_children(int nnodes, int place, int *children);

/* The place behind the last one of the branch. */
int hitop_parcel_tree_end(int nnodes, int place);

#endif /* HITOP_PARCEL_TREE_H */
