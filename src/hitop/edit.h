/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_EDIT_H
#define HITOP_EDIT_H

/**
 * @file edit.h
 * @brief What differs between two hierarchies.
 *
 * The k-th rank on a host in one hierarchy is the k-th rank on that host in the other; numbers of nodes
 * and their ids do not count.
 */

#include "hitop/hierarchy.h"

HITOP_BEGIN_DECLS

/**
 * Tell in lines for people how to get from @p a to @p b: hosts and groups that came, went or moved, groups
 * with other names, attributes. Hierarchies are equal when nothing is told.
 *
 * @param found  called for each difference with one line, lent for the call
 * @retval HITOP_ERR_NOMEM  an allocation failed; the list is incomplete
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_diff(const struct hitop_hierarchy *a, const struct hitop_hierarchy *b,
                     void (*found)(void *data, const char *line), void *data,
                     struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_EDIT_H */
