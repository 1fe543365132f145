/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEAM_H
#define TEAM_H

/*
 * team.h - ranks in the order in which an algorithm wants them.
 *
 * Members have places 0 .. size - 1. Where an algorithm wants a power of two, surplus ranks are
 * paired with a neighbour that acts for both: the first 2 `pairs` ranks, of which the even one is a
 * member.
 */

#include "hitop/sys/coll.h"

struct team {
    int nranks, shift; /* places begin with rank `shift` */
    int size;
    int pairs;
    int bits;    /* 0, or the number of bits of a place, which are those of its order mirrored */
    int me;      /* place of this rank, or of the member that acts for it */
    int surplus; /* 1: another one acts for this rank */
    int partner; /* the other rank of a pair, or HITOP_NO_RANK */
};

/* All ranks, args->rank being one of them, from rank `first` on. */
struct team hitop_team_of_all(const struct hitop_coll_args *args, int first);

/* As many as are a power of two. */
struct team hitop_team_of_power(const struct hitop_coll_args *args, int first);

/*
 * Place members such that those which stand together in the order of ranks differ in the highest
 * bits of their place: halving then combines neighbours first, so that their order is kept. For a
 * power of two only.
 */
struct team hitop_team_mirrored(struct team team);

/* The place of any rank, or of the member that acts for it. */
int hitop_team_place(const struct team *team, int rank);

/* The rank at a place. */
int hitop_team_rank(const struct team *team, int place);

/*
 * Which of the members, in the order of ranks from the first one on, is at a place; and the
 * reverse, as it happens.
 */
int hitop_team_number(const struct team *team, int place);

#endif /* TEAM_H */
