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

#include "coll/twolevel/exchange.h"

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
    HITOP_BY_DOUBLING, /* scattered, then exchanged: exchange_doubling.c */
    HITOP_BY_RING,     /* exchange_ring.c */
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

#endif /* HITOP_STYLE_H */
