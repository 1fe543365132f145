/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_EDIT_H
#define HITOP_EDIT_H

/**
 * @file edit.h
 * @brief Compare two hierarchies, and merge several.
 *
 * The k-th rank on a host in one hierarchy is the k-th rank on that host in the other; numbers of
 * nodes and their ids do not count.
 */

#include "hitop/hierarchy.h"

HITOP_BEGIN_DECLS

/**
 * Report the differences from @p a to @p b as text: hosts and groups that were added, removed or
 * moved, groups with other names, attributes. Hierarchies without a difference are equal.
 *
 * @param found  called for each difference with one line, valid during the call
 * @retval HITOP_ERR_NOMEM  an allocation failed; the list is incomplete
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_diff(const struct hitop_hierarchy *a, const struct hitop_hierarchy *b,
                     void (*found)(void *data, const char *line), void *data,
                     struct hitop_diag *diag);

/** A hierarchy to merge with others. Borrowed. */
struct hitop_part {
    const struct hitop_hierarchy *h;
    const char *name; /**< for messages, e.g. that of its file */
};

/**
 * Merge several hierarchies, which may have different hosts, some common hosts, or the same hosts.
 *
 * The ranks of the first part keep their numbers; those that a later part adds follow in its order.
 * A group of a later part becomes one with a group that has the same level and name in the same
 * group, or the same ranks; a group that contains whole members of a group is inserted between
 * them. The root is that of the first part if all are equal, else a new root above them. Groups
 * that contradict an earlier part are omitted. Attributes are those of the first part that has
 * them.
 *
 * @param nparts    1 or more
 * @param conflict  called for each contradiction with one line, valid during the call
 * @param out       receives the hierarchy, owned by the caller; set to NULL on failure
 * @retval HITOP_ERR_FORMAT  there would be more than HITOP_RANKS_MAX ranks
 * @retval HITOP_ERR_NOMEM   an allocation failed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_merge(const struct hitop_part *part, int nparts,
                      void (*conflict)(void *data, const char *line), void *data,
                      struct hitop_hierarchy **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_EDIT_H */
