/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_H
#define POOL_H

/* pool.h - merge the links that represent the same members. */

#include "models/fit/eager.h"

struct pool {
    struct hitop_measured measured; /* one link for each class: its first one */
    struct hitop_link *links;
    struct hitop_curve *curves;
    struct hitop_point *points;
    struct hitop_eager *eager; /* that of the first link, as are its pair sets */
    struct hitop_pair_set_list *pair_sets;
};

/*
 * To be cleared, also on failure. With only_first only the first link of each class counts: in some
 * models processors make links of a class differ.
 */
enum hitop_status hitop_pool_links(const struct hitop_measured *in, int only_first,
                                   struct pool *out, struct hitop_diag *diag);
void hitop_pool_clear(struct pool *pool);

#endif /* POOL_H */
