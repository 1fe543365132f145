/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLAT_NAMES_H
#define FLAT_NAMES_H

/* flat_names.h - large groups of hosts that their names cannot divide. */

#include "hitop/source.h"

#include "hierarchy/names/name_set.h"

/* A host that its name puts into no group but a class, by what it shares with others. */
struct flat_host {
    const char *domain, *name;
    size_t length; /* of what it shares */
    int is_random; /* 1: random text tells it from others, else a number */
};

/* 1 when name, which is that of host, is such a name; out is filled then, what it points to lent. */
int hitop_flat_names_take(const struct name_set *set, const struct set_name *name, const char *host,
                          struct flat_host *out);

/* Tell the user of the largest group of them if it is worth a word. Changes their order. */
void hitop_flat_names_warn(struct flat_host *host, int n, const struct hitop_grouping *how);

#endif /* FLAT_NAMES_H */
