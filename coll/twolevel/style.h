/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STYLE_H
#define HITOP_STYLE_H

/*
 * style.h - the algorithms of broadcasts over several nodes: which process leads a node, and how
 * the message travels from leader to leader. Pure: no MPI.
 *
 * The first three are Hitop's. The others are those of Liu, Song et al., Journal of Software 22
 * (2011), for comparison: P, the leader of a node is fixed; CP, the first process to arrive leads;
 * BT, a binomial tree; RDAAS and RingAAS, scattered, then exchanged by doubling or in a ring.
 *
 * To add an algorithm: add a line here. To add an exchange: write it in style.c, and add it to
 * hitop_style_way.
 */

#include <stddef.h>

enum hitop_style_leaders {
    HITOP_LEADERS_CHANGE,   /* as in FIXED or MEET; the root decides by the arrivals that it sees */
    HITOP_LEADERS_FIXED,    /* default leaders: the first ranks of the nodes */
    HITOP_LEADERS_MEET,     /* dynamic leaders that announce themselves; the root waits for none */
    HITOP_LEADERS_DIRECTORY /* dynamic leaders; the root sends the leader list to others */
};

enum hitop_style_way {
    HITOP_BY_MODEL,    /* the tree with the shortest predicted time */
    HITOP_BY_BINOMIAL, /* a binomial tree */
    HITOP_BY_DOUBLING, /* scattered, then exchanged by doubling */
    HITOP_BY_RING,     /* ... or in a ring */
};

/* Identifier, name, leaders, exchange. */
#define HITOP_STYLES(STYLE)                                                                        \
    STYLE(AUTO, "auto", CHANGE, MODEL)                                                             \
    STYLE(FIXED, "fixed", FIXED, MODEL)                                                            \
    STYLE(DYN, "dyn", MEET, MODEL)                                                                 \
    STYLE(P_BT, "p-bt", FIXED, BINOMIAL)                                                           \
    STYLE(CP_BT, "cp-bt", DIRECTORY, BINOMIAL)                                                     \
    STYLE(P_RDAAS, "p-rdaas", FIXED, DOUBLING)                                                     \
    STYLE(CP_RDAAS, "cp-rdaas", DIRECTORY, DOUBLING)                                               \
    STYLE(P_RINGAAS, "p-ringaas", FIXED, RING)                                                     \
    STYLE(CP_RINGAAS, "cp-ringaas", DIRECTORY, RING)

#define HITOP_STYLE_ENUM(id, name, leaders, way) HITOP_STYLE_##id,
enum hitop_style { HITOP_STYLES(HITOP_STYLE_ENUM) HITOP_NSTYLES };

/* "|auto|fixed|..." */
#define HITOP_STYLE_WORD(id, name, leaders, way) "|" name
#define HITOP_STYLE_WORDS HITOP_STYLES(HITOP_STYLE_WORD)

/* The shortest message that the paper scatters, in bytes. */
enum { HITOP_SCATTER_FROM = 12000 };

enum hitop_style_leaders hitop_style_leaders(enum hitop_style style);

/*
 * How a message travels: as the algorithm says; but a ring where the number of nodes rules out
 * doubling, and a binomial tree for messages too short or too long to be scattered.
 */
enum hitop_style_way hitop_style_way(enum hitop_style style, int nnodes, size_t bytes);

/* The exchange of pieces; NULL: the message is not cut into pieces. */
const struct hitop_exchange *hitop_style_exchange(enum hitop_style_way way);

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
    /* Number of steps for n > 1 nodes, < n; 0: not possible for that number. */
    int (*nsteps)(int n);
    /* Step i of a node, which may send what it received from scattering and in the steps before. */
    void (*step)(int n, int node, int i, struct hitop_exchange_step *out);
};

extern const struct hitop_exchange hitop_exchange_doubling, hitop_exchange_ring;

/* The block of a node after scattering: all pieces of the nodes below it in the tree. */
struct hitop_block hitop_scatter_block(int n, int node);

/* The node that sends that block to `node`; -1 for the root. */
int hitop_scatter_parent(int node);

/*
 * The nodes, at most 31, to which `node` sends their blocks, in that order; returns their number.
 */
int hitop_scatter_children(int n, int node, int *children);

/*
 * The tree along which nodes forward packed blocks.
 *
 * Nodes have places, counted cyclically from the root's node, which has place 0. Up to
 * HITOP_NODES_MOST of them exchange messages with the root; more form a binomial tree, in which a
 * node forwards the blocks for the places from its own to the end of its branch.
 */

enum { PARCEL_CHILDREN = 31 };

int hitop_parcel_tree_parent(int nnodes, int place);

/*
 * Writes at most PARCEL_CHILDREN places, longest branches first if it is a tree; returns their
 * number.
 */
int hitop_parcel_tree_children(int nnodes, int place, int *children);

/* The place behind the last one of the branch. */
int hitop_parcel_tree_end(int nnodes, int place);

#endif /* HITOP_STYLE_H */
