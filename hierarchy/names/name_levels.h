/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_LEVELS_H
#define NAME_LEVELS_H

/*
 * name_levels.h - the levels in a host name, found by comparison with all names of its set.
 *
 * The levels from the outside inwards:
 * - parts that all names begin with, and the next word if it is equal everywhere;
 * - words behind the number that counts hosts (node1-west);
 * - all places, if one is behind that number (cn01-rack7);
 * - words and numbers in front of that number, in their order.
 *
 * The word in front of the first number is a class of hosts. The number that counts hosts makes a
 * level only if letters follow it (enc1a, enc1b).
 */

#include "hierarchy/names/name_set.h"

/* The part of a name that makes a level. */
enum name_level_kind {
    NAME_LEVEL_CLASS,   /* a word */
    NAME_LEVEL_NUMBER,  /* a number in front of the one that counts hosts */
    NAME_LEVEL_LETTERS, /* letters behind such a number */
    NAME_LEVEL_PLACE    /* a number with a word such as rack or row */
};

/* Called for each level with the name of its group. */
typedef void name_level_fn(void *data, enum name_level_kind kind, const char *level,
                           const char *name);

/*
 * Report the levels of one name.
 *
 * @param buffer  4 times the longest name and 16 bytes more; has the name of the innermost group
 *        after the call, "" for a name without levels
 */
void hitop_name_levels_report(const struct name_set *set, const struct set_name *name, char *buffer,
                              name_level_fn *report, void *data);

#endif /* NAME_LEVELS_H */
