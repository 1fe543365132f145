/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SOURCE_H
#define HITOP_SOURCE_H

/**
 * @file source.h
 * @brief From facts about ranks to a hierarchy.
 *
 * Sources (hitop/sys/source.h) name the groups each rank belongs to, from the outside inwards; ranks
 * with equal beginnings share groups. The outcome depends on the facts only.
 *
 * @code
 * struct hitop_place place[2] = {{"alpha01.site1.org", -1, -1, -1}, {"beta01.site2.org", -1, -1, -1}};
 * struct hitop_grouping how = {0};
 * status = hitop_hierarchy_group(place, 2, &how, &h, &diag);
 * @endcode
 */

#include "hitop/hierarchy.h"

HITOP_BEGIN_DECLS

/** "May run on more than one", or "nobody knows". */
#define HITOP_UNBOUND (-1)

/** Where one rank runs. */
struct hitop_place {
    const char *host; /**< name of the host, not empty; lent for the call */
    int package;      /**< number of the only package the rank may run on, or HITOP_UNBOUND */
    int numa;         /**< the same for NUMA nodes */
    int l3;           /**< the same for last-level caches */
};

/** How to group. All zero is the default. */
struct hitop_grouping {
    const char *const *prefixes; /**< beginnings of host names that make a cluster; lent */
    int nprefixes;               /**< the longest one that matches a name counts */
    int prefix_length;           /**< cluster = that many characters; 0: words and numbers */
    int ignore_domain;           /**< 1: what follows the first dot of a name makes no level */
    int keep_chains;             /**< 1: keep groups that have a single member */
};

/**
 * Group ranks by what all sources say about them.
 *
 * Groups with one member are left out, the root included, unless they are kept on request; hosts stay
 * when any host has two ranks. Every group carries the attributes `source` and `confidence` (0 to 1).
 *
 * @param place   facts about ranks 0..nranks-1; borrowed for the call
 * @param out     receives the hierarchy, owned by the caller; set to NULL on failure
 * @retval HITOP_ERR_INVALID  no ranks, an empty host name or prefix, a negative prefix length
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_group(const struct hitop_place *place, int nranks, const struct hitop_grouping *how,
                      struct hitop_hierarchy **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_SOURCE_H */
