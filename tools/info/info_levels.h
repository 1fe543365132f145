/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_LEVELS_H
#define INFO_LEVELS_H

/* info_levels.h - the levels of a hierarchy, such as root, rack and host, and which groups are on each. */

#include "hitop/hierarchy.h"

struct info_level {
    const char *name; /* lent by the hierarchy; "" when unknown */
    int outermost;    /* its group with the largest number */
    int ngroups;
};

struct info_levels {
    struct info_level *level; /* the outermost first */
    int n;
    int *of_group; /* by node minus number of ranks */
};

/* Groups of equal level names are on one level. Release with info_levels_clear(), also after a failure. */
enum hitop_status info_levels_fill(struct info_levels *levels, const struct hitop_hierarchy *h,
                                   struct hitop_diag *diag);
void info_levels_clear(struct info_levels *levels);

/* What people read: the name, or "-" where there is none. */
const char *info_shown(const char *name);

#endif /* INFO_LEVELS_H */
