/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_EXCHANGE_H
#define HITOP_EXCHANGE_H

/*
 * exchange.h - a long message between nodes in pieces: scattered, then exchanged.
 *
 * The message has a piece for each of n nodes, which are counted from that of the root, node 0. A binomial tree scatters
 * blocks of pieces; then the nodes exchange what they have got in steps. Nobody is sent what he has from scattering, so
 * that the root, who has all, gets nothing. Pure: no MPI.
 *
 * To add an exchange: write exchange_<name>.c, and name it a way in style.h and style.c.
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

#endif /* HITOP_EXCHANGE_H */
