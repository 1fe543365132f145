/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_RANDOM_H
#define NAME_RANDOM_H

/* name_random.h - remove random pieces of host names, because their digits do not count hosts. */

#include <stddef.h>

/* A name of a set. */
struct set_name {
    char *text;     /* lower case, without domain and interface; lent */
    size_t length;  /* without removed random text */
    int has_random; /* 1: random text was removed, which only distinguishes hosts */
};

/*
 * Remove random pieces from each name: identifiers of containers and pods, and pieces that are
 * recognized by comparison with the other names, such as numbers in base 36. 0 when out of memory.
 */
int hitop_name_random_cut(struct set_name *name, int n);

#endif /* NAME_RANDOM_H */
