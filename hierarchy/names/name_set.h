/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_SET_H
#define NAME_SET_H

/* name_set.h - host names taken apart, and what only the set of them shows. */

#include "hierarchy/names/name_parts.h"
#include "hierarchy/names/name_random.h"

/* What only the set of names shows. */
struct name_set {
    int nalike;       /* parts that all names begin with */
    int nalike_end;   /* parts that all names end with; none of those above */
    int classes_vary; /* 1: the words behind what is alike are not the same everywhere */
    int leaves_vary;  /* 1: what counts hosts is not called the same everywhere */
    size_t longest;   /* name, in bytes */
};

/* A name taken apart. */
struct name_reading {
    struct name_part part[NAME_PARTS];
    int nparts;
    int leaf; /* index of the number that counts hosts; nparts: none, random text does; -1: neither */
    int ncounts; /* numbers that are not alike everywhere */
};

/*
 * The number that counts hosts is the last one that is neither alike everywhere nor a place, such
 * as the 1 in cn1-rack7; of places only, the innermost.
 */
void hitop_name_read(const struct set_name *name, const struct name_set *set,
                     struct name_reading *out);

/* n at least 1. */
void hitop_name_set_study(const struct set_name *name, int n, struct name_set *out);

/* 1 when a word of its own stands in front of the bare digits that count hosts. */
int hitop_name_has_leaf_word(const struct name_reading *r);

#endif /* NAME_SET_H */
