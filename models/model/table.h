/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_H
#define TABLE_H

/* table.h - the table of a class of links, whose first column is a size in bytes. */

#include "hitop/sys/model.h"

/* Index of the last row whose size is at most bytes; 0 below the first. O(log rows). */
size_t hitop_table_row(const struct hitop_terms *terms, size_t ncolumns, double bytes);

/*
 * A column at any size: straight lines between rows, the first value below the first row, the last
 * line extended above the last row unless it falls.
 */
double hitop_table_interpolate(const struct hitop_terms *terms, size_t ncolumns, size_t column,
                               double bytes);

/*
 * Make a column ascend with the least squared change, by replacing values that descend with their
 * mean. Noise can make the time of a message less than that of a shorter one.
 *
 * Source: R. Barlow et al., Statistical inference under order restrictions (1972): pool adjacent
 * violators.
 */
void hitop_table_ascend(double *table, size_t nrows, size_t ncolumns, size_t column);

#endif /* TABLE_H */
