/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_TOOL_H
#define TABLE_TOOL_H

/* table.h - one description of the columns of a table, for CSV and for JSON. */

#include <stddef.h>
#include <stdio.h>

struct json_t;

/* The type of a member of a row, which is a structure. No value: empty in CSV, null in JSON. */
enum column_kind {
    COLUMN_TEXT,  /* const char *; NULL: no value */
    COLUMN_INT,   /* int */
    COLUMN_RANK,  /* int; negative: no value */
    COLUMN_RANKS, /* int[2]: two cells of CSV, an array in JSON */
    COLUMN_FLAG,  /* int: 0 or 1, a boolean in JSON */
    COLUMN_SIZE,  /* size_t */
    COLUMN_REAL,  /* double; NaN: no value; JSON has no infinity either */
    COLUMN_FIXED  /* the same, with a fixed number of decimals in CSV */
};

struct column {
    const char *name;
    enum column_kind kind;
    size_t at;  /* offset in the row */
    int digits; /* of COLUMN_REAL in CSV: significant ones, 0: 15; of COLUMN_FIXED: decimals */
    const char *cells; /* of COLUMN_RANKS: the names of both cells */
};

/* The first members of a column. */
#define COLUMN(column, what, type, member)                                                         \
    .name = (column), .kind = COLUMN_##what, .at = offsetof(type, member)

void table_put_head(FILE *to, const struct column *columns, size_t n);
void table_put_row(FILE *to, const struct column *columns, size_t n, const void *row);

/* A row as a JSON object; NULL: out of memory. */
struct json_t *table_row_value(const struct column *columns, size_t n, const void *row);

#endif /* TABLE_TOOL_H */
