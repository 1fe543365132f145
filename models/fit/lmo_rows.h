/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LMO_ROWS_H
#define LMO_ROWS_H

/* lmo_rows.h - times of triples as times of single links. */

#include "hitop/sys/model.h"

/* A round trip over a link, empty on the way back; for a fan, its last answer's and what else the leader takes. */
struct lmo_row {
    int pair[2]; /* processors, ascending */
    int link;    /* group of links */
    size_t bytes;
    int leader; /* of a fan; -1 of a reply */
    double seconds, se;
    double trust; /* 0..1, for the fit */
};

struct lmo_rows {
    struct lmo_row *row; /* by pair, then by size */
    size_t n;
    size_t nlinks;  /* different pairs and sizes */
    double unit;    /* the largest size, at least 1: per-byte numbers are times of so many bytes */
    double longest; /* seconds */
};

/*
 * To be released with hitop_lmo_rows_clear(), also on failure. HITOP_ERR_INVALID: a time without
 * standard error.
 */
enum hitop_status hitop_lmo_rows_fill(const struct hitop_lmo_times *times, size_t ntimes,
                                      struct lmo_rows *out, struct hitop_diag *diag);
void hitop_lmo_rows_clear(struct lmo_rows *rows);

/* Behind the last row of the link and size of the first-th one. */
size_t hitop_lmo_rows_end_of_link(const struct lmo_rows *rows, size_t first);

#endif /* LMO_ROWS_H */
