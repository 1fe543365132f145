/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_ROWS_H
#define INFO_ROWS_H

/* info_rows.h - the numbers of a model one by one, as a long table has them. */

#include "hitop/sys/model.h"

struct info_row {
    const char
        *level; /* "processor" for a number of a class of processors, "collective" for one of the
                          machine as a whole, "quality" for one of the
                          measurement */
    const char *group; /* its name; of processors, the host of the smallest rank */
    int member[2];     /* nodes between which the class lies; HITOP_NO_NODE: all of the group */
    int pair[2]; /* ranks that were measured, or HITOP_NO_RANK; the second one also of processors */
    const struct hitop_param *param;
    double from_bytes;        /* of the row of a table; NaN outside tables */
    double value, se, lo, hi; /* NaN where unknown; a value may be infinite */
    int samples, converged;
    double residual; /* NaN of processors */
};

/* Visit all numbers: links by class, processors, collectives, what the measurement
 * found out about itself. Stops at the first visit that returns not 0, and
 * returns what it did; -1 when out of memory. */
int info_each_row(const struct hitop_model *model,
                  int (*visit)(void *data, const struct info_row *row), void *data);

/* What to call a member of a group: its name, else "node 5" or "rank 3". Returns out or the name. */
const char *info_member_name(const struct hitop_hierarchy *h, int node, char out[32]);

#endif /* INFO_ROWS_H */
