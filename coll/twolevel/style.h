/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STYLE_H
#define HITOP_STYLE_H

/*
 * style.h - the styles of broadcasts over several nodes: which process leads a node, and how the
 * message goes between leaders. Pure: no MPI.
 *
 * The first three are Hitop's. The others are those of Liu, Song et al., Journal of Software 22
 * (2011), for comparison: P, the leader of a node is fixed; CP, it is the first process to come;
 * BT, a binomial tree; RDAAS and RingAAS, scattered, then exchanged by doubling or in a ring.
 *
 * To add a style: a line here. To add an exchange: write it in style.c, and name it a way here.
 */

#include <stddef.h>

enum hitop_style_leaders {
    HITOP_LEADERS_CHANGE,   /* as in FIXED or MEET, by what the root sees of arrivals */
    HITOP_LEADERS_FIXED,    /* the first ranks of the nodes */
    HITOP_LEADERS_MEET,     /* the first to come announces itself; the root waits for none */
    HITOP_LEADERS_DIRECTORY /* the first to come; the root sends others the list of leaders */
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

/* The way of a message: of the style, or a ring for doubling, or a binomial tree for either. */
enum hitop_style_way hitop_style_way(enum hitop_style style, int nnodes, size_t bytes);

/* How pieces are exchanged that way; NULL: the message is not cut into pieces. */
const struct hitop_exchange *hitop_style_exchange(enum hitop_style_way way);

/*
 * A long message between nodes in pieces: scattered, then exchanged.
 *
 * The message has a piece for each of n nodes, counted from that of the root, node 0. A binomial
 * tree scatters blocks of pieces; then the nodes exchange in steps what they have. No node is sent
 * what it has from scattering; the root, which has all, gets nothing.
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

/* The node that sends that to it; -1 for the root. */
int hitop_scatter_parent(int node);

/* The nodes, at most 31, to which it sends their blocks, in that order; returns their number. */
int hitop_scatter_children(int n, int node, int *children);

/*
 * Which node passes parcels on to which.
 *
 * Nodes have places, counted from that of the root, place 0, in their order and around. Up to
 * HITOP_NODES_MOST of them speak to the root; more form a binomial tree, in which a node passes on
 * what is for the places from its own to the end of its branch.
 */

enum { PARCEL_CHILDREN = 31 };

int hitop_parcel_tree_parent(int nnodes, int place);

/*
 * Fills PARCEL_CHILDREN places at most, longest branches first where it is a tree; returns their
 * number.
 */
int hitop_parcel_tree_children(int nnodes, int place, int *children);

/* The place behind the last one of the branch. */
int hitop_parcel_tree_end(int nnodes, int place);

#endif /* HITOP_STYLE_H */
