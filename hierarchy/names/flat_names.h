/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLAT_NAMES_H
#define FLAT_NAMES_H

/* flat_names.h - large groups of hosts that their names do not divide. */

#include "hitop/source.h"

#include "hierarchy/names/name_set.h"

/* A host whose name has one number only, or random text, behind a stem that other hosts share. */
struct flat_host {
    const char *domain, *name;
    size_t length; /* of the stem */
    int is_random; /* 1: random text follows the stem, else a number */
};

/* 1 if name, the name of host, is such a name; fills out then, with lent strings. */
int hitop_flat_names_take(const struct name_set *set, const struct set_name *name, const char *host,
                          struct flat_host *out);

/* Warn the user of the largest group if it is large enough. Sorts the hosts. */
void hitop_flat_names_warn(struct flat_host *host, int n, const struct hitop_grouping *how);

#endif /* FLAT_NAMES_H */
