/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - the table of a class of links: look up, interpolate, make ascend. */
#include <config.h>

#include "models/model/table.h"

#include <math.h>

size_t hitop_table_row(const struct hitop_terms *terms, size_t ncolumns, double bytes)
{
    size_t low = 0, high = terms->nrows;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (terms->table[middle * ncolumns] <= bytes) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double hitop_table_interpolate(const struct hitop_terms *terms, size_t ncolumns, size_t column,
                               double bytes)
{
    size_t row = hitop_table_row(terms, ncolumns, bytes);
    const double *x, *y;
    double slope;

    if (terms->nrows == 1 || bytes <= terms->table[0]) {
        return terms->table[column];
    }
    if (row + 1 == terms->nrows) {
        row--;
    }
    x = terms->table + row * ncolumns;
    y = x + ncolumns;
    slope = (y[column] - x[column]) / (y[0] - x[0]);
    if (bytes > y[0]) {
        return y[column] + fmax(slope, 0) * (bytes - y[0]);
    }
    return x[column] + slope * (bytes - x[0]);
}

void hitop_table_ascend(double *table, size_t nrows, size_t ncolumns, size_t column)
{
    double *at = table + column;

    for (size_t last = 1; last < nrows; last++) {
        double sum = at[last * ncolumns];
        size_t first = last;
        /* the rows before are ascending; those equal to each other are one pool */
        while (first > 0 && at[(first - 1) * ncolumns] > sum / (double)(last - first + 1)) {
            first--;
            sum += at[first * ncolumns];
        }
        for (size_t row = first; row < last + (first < last); row++) {
            at[row * ncolumns] = sum / (double)(last - first + 1);
        }
    }
}
