/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_RANDOM_H
#define NAME_RANDOM_H

/* name_random.h - pieces of host names that a machine made up, in which digits are no numbers. */

#include "hierarchy/names/name_evidence.h"

/*
 * Take out of each name what was made up: identifiers of containers and of pods, and pieces that
 * only the other names of the set give away, such as numbers in base 36. 0 when out of memory.
 */
int hitop_name_random_cut(struct set_name *name, int n);

#endif /* NAME_RANDOM_H */
