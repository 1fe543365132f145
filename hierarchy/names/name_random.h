/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_RANDOM_H
#define NAME_RANDOM_H

/* name_random.h - random pieces of host names, whose digits are no numbers. */

#include "hierarchy/names/name_evidence.h"

/*
 * Remove random pieces from each name: identifiers of containers and pods, and pieces that are
 * recognized by comparison with the other names, such as numbers in base 36. 0 when out of memory.
 */
int hitop_name_random_cut(struct set_name *name, int n);

#endif /* NAME_RANDOM_H */
