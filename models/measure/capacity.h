/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAPACITY_H
#define CAPACITY_H

/**
 * @file capacity.h
 * @brief Measure how many concurrent messages at full speed the uplink of a group carries.
 *
 * The uplink of a group carries all messages between the group and other members of the group
 * around it. One message crosses the uplink, then k of them at the same time. With s(1) and s(k)
 * seconds for the bytes by which a long message exceeds a shorter one, the capacity is
 * k s(1) / s(k); the difference of two sizes removes the latency. Messages into the group are
 * measured, too; the smaller capacity counts. A capacity that differs from 1 by less than 5 %, or
 * has 1 in its interval, becomes 1, because an uplink as fast as one link, e.g. a network card, is
 * the usual case. Less than 1 becomes 1, because concurrent messages take no longer than one after
 * the other; more is a disturbance.
 *
 * A probe finds the groups to measure, and k: it sends 2, 4, 8 ... concurrent messages, up to one
 * from each rank, until they take 1.5 times as long as one alone.
 *
 * Groups of one level with equal numbers of ranks, inside groups of one level, are assumed to be
 * alike: one of them represents all. Its ranks, taken from its members in turn, send to different
 * ranks of other members of the group around it. A slowdown that known uplinks inside the groups
 * explain is not attributed to the uplink.
 */

#include "models/measure/concurrent_pairs.h"

/** Groups that are assumed to be alike. */
struct hitop_group_kind {
    int node;        /**< the group that represents them */
    int ngroups;     /**< number of groups */
    int most;        /**< most concurrent messages; 2 or more */
    int npairs;      /**< concurrent messages that are measured */
    double named;    /**< capacity that the hierarchy names, which is not measured; 0: none */
    double slowdown; /**< by a probe: of npairs concurrent messages; 0: no probe */
    int is_probed;   /**< 1: no further probe is needed */
};

/** What to measure. */
struct hitop_capacity_plan {
    struct hitop_group_kind *kind; /**< [nkinds], the lowest groups first */
    int nkinds;
    int *kind_of; /**< [groups], the first being node nranks; -1: none */
    /**
     * With the kind as link. For each measured kind: one pair out, all out, one in, all in; for a
     * named capacity: one pair out.
     */
    struct hitop_pair_plan pair_sets;
};

/**
 * Find the kinds of groups in which two or more ranks can send to different ranks in other members
 * of the group around. Choose concurrent pairs for each kind, one pair for each such rank; no pairs
 * if the capacities of all groups are named. To be cleared, also on failure.
 */
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

/** Whether a probe has found that concurrent messages do not slow each other. */
int hitop_capacities_are_free(const struct hitop_group_kind *kind);

/**
 * Choose concurrent pairs for the measurement: of kinds that a probe has found slow, or that had
 * no probe.
 */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_pair_sets(const struct hitop_hierarchy *h,
                                                              struct hitop_capacity_plan *plan,
                                                              struct hitop_diag *diag);

/** The capacity of the uplinks of a kind. */
struct hitop_capacity {
    double value;  /**< concurrent messages at full speed; INFINITY: not limited, or not known */
    double lo, hi; /**< interval around the measured value */
    /**
     * 1: the capacity is value; 0: all concurrent messages had room, or uplinks inside the groups
     * limit them more
     */
    int is_shared;
    int is_known; /**< 0: the times do not show whether it is shared */
};

/**
 * Compute capacities from times at two sizes, both above the eager limit if possible.
 *
 * @param confidence  of the intervals, in (0, 1)
 * @param out         [nkinds]
 */
HITOP_MUST_CHECK enum hitop_status
hitop_capacities_judge(const struct hitop_hierarchy *h, const struct hitop_capacity_plan *plan,
                       const struct hitop_pair_sets *pair_sets, double confidence,
                       struct hitop_capacity *out, struct hitop_diag *diag);

/**
 * Copy the hierarchy and add the capacities, to three digits or "unlimited", and "capacity_tried",
 * the number of concurrent messages that measured them. @p out is set to NULL on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_capacities_apply(const struct hitop_hierarchy *h,
                                                          const struct hitop_capacity_plan *plan,
                                                          const struct hitop_capacity *capacity,
                                                          struct hitop_hierarchy **out,
                                                          struct hitop_diag *diag);

#endif /* CAPACITY_H */
