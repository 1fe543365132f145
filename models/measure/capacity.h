/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAPACITY_H
#define CAPACITY_H

/**
 * @file capacity.h
 * @brief How many messages at full speed the way out of a group carries at once, found by
 * measurement.
 *
 * One message crosses the way, then k of them at once. With s(1) and s(k) seconds for the bytes by
 * which a long message is longer than a shorter one, what precedes the bytes being the same, the
 * capacity is k s(1) / s(k). The same with the way into the group; the smaller number counts,
 * because there is one for both. What may well be 1, by the interval or within 5 %, is 1: a way as
 * fast as its link, as of a network card, is more to predictions than one a little faster. What is
 * less than 1 is 1, too: messages at once take no longer than one after another, so that more is
 * due to a disturbance.
 *
 * A probe finds out which ways are worth that, and for which k: a short look at 2 messages at once,
 * then at 4, 8 and so on up to one from each rank, until they take half as long again as one alone.
 *
 * Groups on one level, in groups of one level, with as many ranks, are taken to be alike: one of
 * them stands for all. Its ranks, those of different members in turn, send to ranks of other
 * members of the group around it, each to another one, spread in the same way. What the ways inside
 * explain, once they are known, does not count for the way around them.
 */

#include "models/measure/concurrent_pairs.h"

/** Groups that are taken to be alike. */
struct hitop_group_kind {
    int node;     /**< the group that stands for them */
    int ngroups;  /**< how many there are */
    int most;     /**< messages at once, at most; 2 or more */
    int npairs;   /**< messages at once that are measured */
    double named; /**< capacity that the hierarchy says they have, which is not measured; 0: none */
    double slowdown; /**< by a probe: of npairs messages at once, compared with one; 0: no probe */
    int is_probed;   /**< 1: no further probe is needed */
};

/** What to measure. */
struct hitop_capacity_plan {
    struct hitop_group_kind *kind; /**< [nkinds], the lowest groups first */
    int nkinds;
    int *kind_of; /**< [groups], the first being node nranks; -1: none */
    struct hitop_pair_plan
        pair_sets; /**< link being the kind: one pair out, all out, one in, all in; of
                                         a named capacity one pair out, of others none */
};

/** Choose concurrent pairs for all groups with two or more ranks that have partners in other
 * members of the group around, as many pairs as ranks; none if the capacities of all groups are
 * given. To be cleared, also on failure. */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_choose(const struct hitop_hierarchy *h,
                                                           struct hitop_capacity_plan *out,
                                                           struct hitop_diag *diag);
void hitop_capacity_plan_clear(struct hitop_capacity_plan *plan);

/**
 * Learn from the last probe, and choose concurrent pairs for the next one.
 *
 * @param probed  measured times of the last probe, at one size; NULL: this is the first probe
 * @param left    receives the number of kinds to be probed; 0: all are done, and there are no
 *                concurrent pairs
 */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_probe(const struct hitop_hierarchy *h,
                                                          struct hitop_capacity_plan *plan,
                                                          const struct hitop_pair_sets *probed,
                                                          int *left, struct hitop_diag *diag);

/** Whether a probe has found that messages at once have room. */
int hitop_capacities_have_room(const struct hitop_group_kind *kind);

/** Choose concurrent pairs anew: of kinds that a probe has found slow, or that had no pairs. */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_pair_sets(const struct hitop_hierarchy *h,
                                                              struct hitop_capacity_plan *plan,
                                                              struct hitop_diag *diag);

/** What is known of the ways of groups of a kind. */
struct hitop_capacity {
    double value;  /**< that number; INFINITY: the times do not show it */
    double lo, hi; /**< interval around what was measured */
    int is_shared; /**< 1: the capacity is value; 0: all messages at once had room, or ways
                        inside the groups have less of it */
    int is_known;  /**< 0: the times do not show whether it is shared */
};

/**
 * Judge what was measured at two sizes; best both above the eager limit.
 *
 * @param confidence  of the intervals, in (0, 1)
 * @param out         [nkinds], filled; of a named capacity that one
 */
HITOP_MUST_CHECK enum hitop_status
hitop_capacities_judge(const struct hitop_hierarchy *h, const struct hitop_capacity_plan *plan,
                       const struct hitop_pair_sets *pair_sets, double confidence,
                       struct hitop_capacity *out, struct hitop_diag *diag);

/** The same hierarchy with the capacities that were found, to three digits, "unlimited" where
 * messages at once have room; "capacity_tried" is how many of them there were. @p out is set to
 * NULL on failure. */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_apply(const struct hitop_hierarchy *h,
                                                          const struct hitop_capacity_plan *plan,
                                                          const struct hitop_capacity *capacity,
                                                          struct hitop_hierarchy **out,
                                                          struct hitop_diag *diag);

#endif /* CAPACITY_H */
