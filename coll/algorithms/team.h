/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEAM_H
#define TEAM_H

/*
 * team.h - the ranks of an algorithm in the order that it needs.
 *
 * Members have places 0 .. size - 1. Where an algorithm needs a power of two of members, the first
 * 2 `pairs` ranks form pairs: the even rank of a pair is the member and acts for the odd one, the
 * surplus rank, or the other way round.
 */

#include "hitop/sys/coll.h"

struct team {
    int nranks, shift; /* number of ranks; the rank that comes first */
    int size;
    int pairs;
    int odd;     /* 1: the odd rank of a pair is the member */
    int bits;    /* 0: not mirrored; else the number of bits of a place, which are reversed */
    int me;      /* place of this rank, or of the member that acts for it */
    int surplus; /* 1: another rank acts for this one */
    int partner; /* the other rank of a pair, or HITOP_NO_RANK */
};

/* A team of all ranks, beginning with rank `first`; args->rank is this rank. */
struct team hitop_team_of_all(const struct hitop_coll_args *args, int first);

/* A team of the largest power of two of members; the other ranks are surplus. */
struct team hitop_team_of_power(const struct hitop_coll_args *args, int first);

/* The same, where the odd rank of a pair is the member, as in MPI libraries. */
struct team hitop_team_of_power_odd(const struct hitop_coll_args *args, int first);

/*
 * Reverse the bits of places, so that members which are neighbours in rank order differ in the
 * highest bits: halving then combines neighbours first, which keeps the order of operands. For a
 * power of two of members only.
 */
struct team hitop_team_mirrored(struct team team);

/* The place of any rank, or of the member that acts for it. */
int hitop_team_place(const struct team *team, int rank);

/* The rank at a place. */
int hitop_team_rank(const struct team *team, int place);

/*
 * The number of the member at a place, in rank order from the first member. A reversal of bits is
 * its own inverse, so this also returns the place of a number.
 */
int hitop_team_number(const struct team *team, int place);

#endif /* TEAM_H */
