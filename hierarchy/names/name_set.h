/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_SET_H
#define NAME_SET_H

/* name_set.h - split host names, and properties of a set of names. */

#include "hierarchy/names/name_parts.h"
#include "hierarchy/names/name_random.h"

/* Properties of a set of names. */
struct name_set {
    int nalike;       /* parts that all names begin with */
    int nalike_end;   /* further parts that all names end with */
    int classes_vary; /* 1: the letters behind the first nalike parts differ */
    int leaves_vary;  /* 1: the letters of the numbers that count hosts differ */
    size_t longest;   /* bytes of the longest name */
};

/* A split name. */
struct name_reading {
    struct name_part part[NAME_PARTS];
    int nparts;
    int leaf;    /* index of the number that counts hosts; nparts: random text; -1: neither */
    int ncounts; /* numbers outside of the parts that all names begin or end with */
};

/*
 * The number that counts hosts is the last one that differs between names and is no place, such as
 * the 1 in cn1-rack7; if there are only places, the innermost.
 */
void hitop_name_read(const struct set_name *name, const struct name_set *set,
                     struct name_reading *out);

/* Compute the properties of n names, n at least 1. */
void hitop_name_set_study(const struct set_name *name, int n, struct name_set *out);

/* 1 if the number that counts hosts has no letters, and a word that is no place precedes it. */
int hitop_name_has_leaf_word(const struct name_reading *r);

#endif /* NAME_SET_H */
