/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_RANDOM_H
#define NAME_RANDOM_H

/* name_random.h - pieces of host names that a machine made up, in which digits are no numbers. */

#include <stddef.h>

/* A name of a set. */
struct set_name {
    char *text;     /* lower case, without domain and interface; lent */
    size_t length;  /* of what people can read; all of it at first */
    int has_random; /* 1: something was taken out that tells hosts apart and nothing else */
};

/*
 * Take out of each name what was made up: identifiers of containers and of pods, and pieces that only the
 * other names of the set give away, such as numbers in base 36. 0 when out of memory.
 */
int name_random_cut(struct set_name *name, int n);

#endif /* NAME_RANDOM_H */
