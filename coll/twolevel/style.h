/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STYLE_H
#define HITOP_STYLE_H

/*
 * style.h - the styles of broadcasts over several nodes: who leads, and which way the message goes between leaders.
 *
 * The first three are Hitop's. The others are those of a paper, to be compared with: P, the leader of a node is fixed;
 * CP, it is who comes first; BT, a binomial tree; RDAAS and RingAAS, scattered, then exchanged by doubling or in a ring.
 * Source: Liu, Song et al., Journal of Software 22 (2011).
 *
 * To add a style: a line here. Pure: no MPI.
 */

#include <stddef.h>

enum hitop_style_leaders {
    HITOP_LEADERS_CHANGE,   /* as in FIXED or MEET, by what the root sees of arrivals */
    HITOP_LEADERS_FIXED,    /* the first ranks of the nodes */
    HITOP_LEADERS_MEET,     /* who comes first and tells the root, which waits for nobody */
    HITOP_LEADERS_DIRECTORY /* who comes first; the root tells others who leads which node */
};

enum hitop_style_way {
    HITOP_BY_MODEL,    /* the tree that is predicted to be fastest */
    HITOP_BY_BINOMIAL, /* a binomial tree */
    HITOP_BY_DOUBLING, /* scattered, then exchanged by doubling */
    HITOP_BY_RING,     /* ... or in a ring */
};

/* Identifier, name, leaders, way. */
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

/* Shortest message that the paper scatters. */
enum { HITOP_SCATTER_FROM = 12000 };

enum hitop_style_leaders hitop_style_leaders(enum hitop_style style);

/*
 * The way of a message of `bytes` between so many nodes: what the style says, or, where that does not apply, a ring
 * instead of doubling, a binomial tree instead of either.
 */
enum hitop_style_way hitop_style_way(enum hitop_style style, int nnodes, size_t bytes);

/* How pieces are exchanged that way; NULL: the message is not cut into pieces. */
const struct hitop_exchange *hitop_style_exchange(enum hitop_style_way way);

/*
 * A long message between nodes in pieces: scattered, then exchanged.
 *
 * The message has a piece for each of n nodes, which are counted from that of the root, node 0. A binomial tree scatters
 * blocks of pieces; then the nodes exchange what they have got in steps. Nobody is sent what he has from scattering, so
 * that the root, who has all, gets nothing. Pure: no MPI.
 *
 * To add an exchange: write it in style.c, and name it a way here and there.
 */

/* Pieces first .. first + count - 1. */
struct hitop_block {
    int first, count;
};

/* One step of a node; a block that is empty is not sent. */
struct hitop_exchange_step {
    int from, to; /* nodes */
    struct hitop_block get, put;
};

struct hitop_exchange {
    const char *name;
    /* Steps among n > 1 nodes, < n; 0: not for that many. */
    int (*nsteps)(int n);
    /* Step i of a node, which may put what it got from scattering and in the steps before. */
    void (*step)(int n, int node, int i, struct hitop_exchange_step *out);
};

extern const struct hitop_exchange hitop_exchange_doubling, hitop_exchange_ring;

/* What a node has after scattering: all pieces of the nodes below it in the tree. */
struct hitop_block hitop_scatter_block(int n, int node);

/* Who sends that to it; -1 for the root. */
int hitop_scatter_parent(int node);

/*
 * The nodes that it sends parts of that to, in the order in which it does, each with all of its own block. At most 31.
 * Returns their number.
 */
int hitop_scatter_children(int n, int node, int *children);

/* `pieces`, or nothing where the node has them from scattering. */
struct hitop_block hitop_exchange_unless_there(int n, int node, struct hitop_block pieces);

/*
 * Which node passes parcels on to which. Pure: no MPI.
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

#endif /* HITOP_STYLE_H */
