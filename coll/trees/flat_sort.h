/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLAT_SORT_H
#define FLAT_SORT_H

/* flat_sort.h - ranks by the time that their blocks take from the root. */

#include "hitop/tree.h"

/*
 * Fill order[0 .. size-2] with the ranks other than args->root, the quickest first, equal ones by rank. Asks
 * for size - 1 prices.
 */
enum hitop_status hitop_flat_sort(const struct hitop_tree_args *args, int *order,
                                  struct hitop_diag *diag);

#endif /* FLAT_SORT_H */
