/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POOL_H
#define POOL_H

/* pool.h - merge the links that represent the same members. */

#include "models/fit/eager.h"

/* The links of a class: n of the members from the first-th one on. */
struct pooled {
    int first, n;
    int nunlike;   /* the first members: they differ by more than their intervals */
    double spread; /* largest relative difference of a time from the median */
};

struct pool {
    struct hitop_measured measured; /* one link for each class: its first one */
    struct pooled *of;              /* [classes] */
    int *member;                    /* indices of links in the measurement; the most unlike first */
    int (*pairs)[2];                /* their ranks */
    struct hitop_link *links;
    struct hitop_curve *curves;
    struct hitop_point *points;
    struct hitop_eager *eager; /* that of the first link, as are its pair sets */
    struct hitop_pair_set_list *pair_sets;
};

/*
 * The ends of the interval that contains the share `confidence` of n ascending values; all of them
 * if they are few.
 */
void hitop_pool_ends(const double *sorted, int n, double confidence, double *lo, double *hi);

/*
 * To be cleared, also on failure. With only_first only the first link of each class counts: in some
 * models processors make links of a class differ.
 */
enum hitop_status hitop_pool_links(const struct hitop_measured *in, int only_first,
                                   struct pool *out, struct hitop_diag *diag);
void hitop_pool_clear(struct pool *pool);

#endif /* POOL_H */
