/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCAST_ALGORITHM_H
#define BCAST_ALGORITHM_H

/*
 * bcast_algorithm.h - the algorithms of broadcasts over several nodes: which process leads a node,
 * and how the message travels from leader to leader. Pure: no MPI.
 *
 * The first three are Hitop's. The others are those of Liu, Song et al., Journal of Software 22
 * (2011), for comparison: P: the leader of a node is fixed; CP: the first process to arrive leads;
 * BT: a binomial tree; RDAAS and RingAAS: the message is scattered, then exchanged by recursive
 * doubling or in a ring.
 *
 * To add an algorithm: add a line to HITOP_BCAST_ALGORITHMS. To add an exchange: write it in
 * bcast_algorithm.c, and add it to enum hitop_bcast_pattern.
 */

#include <stddef.h>

enum hitop_bcast_leaders {
    HITOP_LEADERS_CHANGE,  /* FIXED or DYNAMIC; the root decides, see arrivals.h */
    HITOP_LEADERS_FIXED,   /* default leaders: the first ranks of the nodes */
    HITOP_LEADERS_DYNAMIC, /* dynamic leaders that announce themselves; the root waits for none */
    HITOP_LEADERS_LISTED   /* dynamic leaders; the root sends them the leaders that they need */
};

enum hitop_bcast_pattern {
    HITOP_BY_MODEL,    /* the tree with the shortest predicted time */
    HITOP_BY_BINOMIAL, /* a binomial tree */
    HITOP_BY_DOUBLING, /* scattered, then exchanged by doubling */
    HITOP_BY_RING,     /* ... or in a ring */
};

/* Identifier, name, leaders, exchange. */
#define HITOP_BCAST_ALGORITHMS(ALGORITHM)                                                          \
    ALGORITHM(AUTO, "auto", CHANGE, MODEL)                                                         \
    ALGORITHM(FIXED, "fixed", FIXED, MODEL)                                                        \
    ALGORITHM(DYN, "dyn", DYNAMIC, MODEL)                                                          \
    ALGORITHM(P_BT, "p-bt", FIXED, BINOMIAL)                                                       \
    ALGORITHM(CP_BT, "cp-bt", LISTED, BINOMIAL)                                                    \
    ALGORITHM(P_RDAAS, "p-rdaas", FIXED, DOUBLING)                                                 \
    ALGORITHM(CP_RDAAS, "cp-rdaas", LISTED, DOUBLING)                                              \
    ALGORITHM(P_RINGAAS, "p-ringaas", FIXED, RING)                                                 \
    ALGORITHM(CP_RINGAAS, "cp-ringaas", LISTED, RING)

#define HITOP_BCAST_ENUM(id, name, leaders, pattern) HITOP_BCAST_##id,
enum hitop_bcast_algorithm { HITOP_BCAST_ALGORITHMS(HITOP_BCAST_ENUM) HITOP_NBCAST_ALGORITHMS };

/* "|auto|fixed|..." */
#define HITOP_BCAST_WORD(id, name, leaders, pattern) "|" name
#define HITOP_BCAST_WORDS HITOP_BCAST_ALGORITHMS(HITOP_BCAST_WORD)

/* The shortest message that the paper scatters, in bytes. */
enum { HITOP_SCATTER_FROM = 12000 };

enum hitop_bcast_leaders hitop_bcast_leaders(enum hitop_bcast_algorithm algorithm);

/*
 * How a message travels: the pattern of the algorithm; but a ring instead of doubling if the number
 * of nodes is not a power of two, and a binomial tree for messages too short or too long to be
 * scattered.
 */
enum hitop_bcast_pattern hitop_bcast_pattern(enum hitop_bcast_algorithm algorithm, int nnodes,
                                             size_t bytes);

/* The exchange of pieces; NULL: the message is not cut into pieces. */
const struct hitop_exchange *hitop_bcast_exchange(enum hitop_bcast_pattern pattern);

/*
 * A long internode message in pieces: scattered, then exchanged.
 *
 * The message has a piece for each of n nodes, counted from the root's node, which is node 0. A
 * binomial tree scatters blocks of pieces; then the nodes exchange in steps what they have. No node
 * receives again what it has from scattering; the root has all pieces and receives none.
 */

/* Pieces first .. first + count - 1. */
struct hitop_block {
    int first, count;
};

/* One step of a node; an empty block is not sent. */
struct hitop_exchange_step {
    int from, to; /* nodes */
    struct hitop_block get, put;
};

struct hitop_exchange {
    const char *name;
    /* Number of steps for n > 1 nodes, < n; 0: n nodes are not supported. */
    int (*nsteps)(int n);
    /* Step i of a node, which may send what it received from scattering and in the steps before. */
    void (*step)(int n, int node, int i, struct hitop_exchange_step *out);
};

extern const struct hitop_exchange hitop_exchange_doubling, hitop_exchange_ring;

/* The block of a node after scattering: its piece and those of the nodes below it in the tree. */
struct hitop_block hitop_scatter_block(int n, int node);

/* The node that sends that block to `node`; -1 for the root. */
int hitop_scatter_parent(int node);

/*
 * Write the nodes, at most 31, to which `node` sends blocks, in the order of sending. Returns their
 * number.
 */
int hitop_scatter_children(int n, int node, int *children);

/*
 * The tree along which nodes forward packed blocks.
 *
 * Nodes have places, counted cyclically from the root's node, which has place 0. If there are at
 * most HITOP_NODES_MOST nodes, each exchanges messages directly with the root. More nodes form a
 * binomial tree, in which a node forwards the blocks of the places from its own to the end of its
 * branch.
 */

enum { PACKED_CHILDREN = 31 };

int hitop_packed_tree_parent(int nnodes, int place);

/*
 * Write the places of the children, at most PACKED_CHILDREN; in a tree, longest branches first.
 * Returns their number.
 */
int hitop_packed_tree_children(int nnodes, int place, int *children);

/* One after the last place of the branch that begins at `place`. */
int hitop_packed_tree_end(int nnodes, int place);

#endif /* BCAST_ALGORITHM_H */
