/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLUMNS_H
#define COLUMNS_H

/*
 * columns.h - the column of each group in a drawing.
 *
 * Groups of one level share a column, even if they are at different depths. A level that contains
 * itself, such as a switch below a switch, has a column for each nesting.
 */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

enum { COLUMN_KINDS = 32 };

struct columns {
    int n;         /* number of columns of groups; ranks are in column n */
    int *of_group; /* by node minus number of ranks */
    int nkinds;
    struct column_kind {
        const char *level; /* lent by the hierarchy */
        int nesting;       /* number of groups of the same level around it, or the depth */
        int column;
    } kind[COLUMN_KINDS]; /* in the order of their columns */
};

/* Compute the columns. They are not valid if storage->out_of_memory is set. */
void hitop_columns_fill(struct columns *c, const struct hitop_hierarchy *h,
                        struct storage *storage);

/* The column of a node. */
int hitop_columns_at(const struct columns *c, const struct hitop_hierarchy *h, int node);

#endif /* COLUMNS_H */
